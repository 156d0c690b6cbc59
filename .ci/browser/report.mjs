// Opens the pages of `grader report --html` in Chromium, from disk and without network, and checks them.
//
//     npm install --prefix TOOLS playwright-core axe-core
//     node .ci/browser/report.mjs TOOLS PAGES RESULTS.json PAGES.html [CHECK]
//
// PAGES is the folder and PAGES.html the single file; CHECK is the beginning of the name of the only check to make.
//
// The numbers are those of the acceptance list of the pages.

import { createRequire } from 'node:module';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';

const [tools, pages, json, single] = process.argv.slice(2, 6).map(path => resolve(path));
const only = process.argv[6] ?? '';
const require = createRequire(join(tools, 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const results = JSON.parse(readFileSync(json));
const files = folder => readdirSync(join(pages, folder)).filter(name => name.endsWith('.html')).map(name => join(folder, name));
const all = ['index.html', 'print.html', ...files('staff'), ...files('students')];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const open = async (name, options = {}, hash = '') => {
  const page = await (await browser.newContext({ offline: true, viewport: { width: 1280, height: 900 }, bypassCSP: Boolean(options.axe), ...options.context })).newPage();
  page.said = [];
  page.on('console', message => page.said.push(message.text()));
  page.on('pageerror', error => page.said.push(error.message));
  page.on('dialog', dialog => { page.said.push('dialog'); dialog.dismiss(); });
  page.on('request', request => page.said.push(...(request.url() === page.wanted ? [] : [request.url()])));
  await go(page, name, hash);
  return page;
};
const go = async (page, name, hash = '') => {
  page.wanted = `file://${encodeURI(name.startsWith('/') ? name : join(pages, name))}${hash}`;
  await page.goto(page.wanted);
};
const failed = [];
const check = async (name, body) => {
  if (!name.startsWith(only)) return;
  try {
    await body();
    console.log(`ok   ${name}`);
  } catch (error) {
    failed.push(name);
    console.log(`FAIL ${name}\n${error.message}`);
  }
};
// For checks that change nothing.
const index = await open('index.html');
const visible = page => page.locator('#matrix tbody tr:visible');

await check('A1 A2 no page asks for anything or prints anything', async () => {
  const page = await open('index.html');
  for (const name of all) {
    await go(page, name);
    assert.deepEqual(page.said, [], name);
  }
});

await check('A3 the matrix is that of the results', async () => {
  const rows = await index.locator('#matrix tbody tr').evaluateAll(rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim())));
  assert.equal(rows.length, results.students.length);
  results.students.forEach((student, index) => {
    assert.ok(rows[index][0].startsWith(student.id));
    student.problems.forEach((problem, column) => {
      const cell = rows[index][column + 1];
      const expected = problem.status === 'not-submitted' ? '—' : `${problem.verdict === 'AC' ? '' : `${problem.verdict} `}${problem.points ?? '?'}`;
      assert.equal(cell, expected, `${student.id} ${problem.id}`);
    });
    const total = rows[index][student.problems.length + 1];
    assert.equal(total, String(student.points ?? '?'));
  });
});

await check('A4 a row has at most 35 elements, and every cell says how many cases passed', async () => {
  const most = await index.locator('#matrix tbody tr').evaluateAll(rows => Math.max(...rows.map(row => row.querySelectorAll('*').length)));
  assert.ok(most <= 35, `${most}`);
  const titles = await index.locator('#matrix tbody td[title]').evaluateAll(cells => cells.map(cell => cell.title));
  assert.ok(titles.length > 0 && titles.every(title => /^(\d+ of \d+ passed|not submitted)$/.test(title)), titles.join());
});

await check('A5 heads are buttons that sort, numbers as numbers', async () => {
  const page = await open('index.html');
  const head = page.locator('#matrix th').filter({ hasText: 'total' });
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  const column = results.assignment.problems.length + 1;
  const totals = await page.locator('#matrix tbody tr').evaluateAll((rows, column) => rows.map(row => parseFloat(row.cells[column].textContent)), column);
  assert.deepEqual(totals, [...totals].sort((a, b) => b - a));
  await page.keyboard.press('Space');
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
});

await check('A6 the filter knows its words, and stays in the address', async () => {
  const page = await open('index.html');
  const problem = results.assignment.problems[0].id;
  const codes = student => student.problems.find(it => it.id === problem);
  const expected = results.students.filter(student => codes(student)?.verdict === 'AC').length;
  await page.fill('#filter', `verdict:ac problem:${problem}`);
  const shown = await visible(page).count();
  assert.ok(shown >= expected && shown < results.students.length, `${shown}`);
  assert.equal(await page.locator('#count').textContent(), `${shown} of ${results.students.length} students`);
  await page.reload();
  assert.equal(await visible(page).count(), shown);
  await page.fill('#filter', 'flag:');
  const flagged = results.students.filter(student => student.problems.some(it => it.flags.length > 0)).length;
  assert.equal(await visible(page).count(), flagged);
});

/** A link of the first page leads to a page, and to a place there. */
const leads = link => {
  const [file, id] = link.split('#');
  assert.ok(id === undefined || readFileSync(join(pages, file), 'utf8').includes(`id="${id}"`), link);
};

await check('A7 what needs a human stands first and links to its case', async () => {
  const first = await index.locator('h2').first().innerText();
  assert.equal(first, 'Needs human attention');
  const links = await index.locator('.need a').evaluateAll(links => links.map(link => link.getAttribute('href')));
  assert.ok(links.some(link => /#[^.]+\.[^.]+\.[^.]+$/.test(link)), links.join());
  links.forEach(leads);
  for (const [count, entries] of await index.locator('.need').evaluateAll(parts => parts.map(part => [part.querySelector('summary .soft').textContent, part.querySelectorAll('li').length]))) {
    assert.equal(Number(count), entries);
  }
});

await check('A8 messages are counted, and each name leads to its case', async () => {
  const rows = await index.locator('section table tbody tr').evaluateAll(rows => rows.map(row => [row.cells[0].textContent, [...row.querySelectorAll('a')].map(link => link.getAttribute('href'))]));
  assert.ok(rows.length > 0);
  for (const [count, links] of rows) {
    assert.equal(Number(count), links.length);
    links.forEach(leads);
  }
});

await check('A9 the histogram and the verdicts of each problem add up', async () => {
  const verdicts = await index.locator('.problem').evaluateAll(parts => parts.map(part => [...part.querySelector('p').innerText.matchAll(/: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)));
  const submitted = results.assignment.problems.map(({ id }) => results.students.filter(student => student.problems.some(it => it.id === id && it.status !== 'not-submitted')).length);
  assert.deepEqual(verdicts, submitted);
  const counts = await index.locator('h2:text-is("Points") ~ details tbody tr').evaluateAll(rows => rows.map(row => Number(row.cells[1].textContent)));
  const known = results.students.filter(student => student.points !== null).length;
  assert.equal(counts.reduce((sum, count) => sum + count, 0), known);
});

await check('A10 the plots of time have limit and reference; a chosen student stands out', async () => {
  const page = await open('index.html');
  const plots = page.locator('svg.plot:has(.run)');
  assert.equal(await plots.locator('.limit-line').count(), await plots.count());
  assert.equal(await plots.locator('.reference-line').count(), await plots.count());
  const row = await page.locator('.run').first().getAttribute('data-row');
  await page.locator(`#matrix tr[data-row="${row}"] a`).focus();
  assert.ok(await page.locator(`.run.chosen[data-row="${row}"]`).count() > 0);
});

await check('A12 A13 a failing board shows the pair that attacks', async () => {
  const student = results.students.find(student => student.problems.some(problem => problem.subtasks.some(subtask => subtask.cases.some(it => it.evidence.some(it => it.board?.attack)))));
  const slug = student.id;
  const page = await open(`students/${slug}.html`);
  const board = page.locator('svg.board').first();
  assert.equal(await board.locator('.hit').count(), 2);
  assert.equal(await board.locator('.attack').count(), 1);
  assert.match(await board.locator('title').textContent(), /two queens attack each other/);
  await page.locator('a[href^="explore/"]').first().click();
  await page.locator('#queens .attacked').first().waitFor();
});

await check('A12 a failing case has what was expected and found, and the points that are lost', async () => {
  const evidence = student => student.problems.flatMap(problem => problem.subtasks).flatMap(subtask => subtask.cases).flatMap(it => it.evidence).find(it => it.expected && it.found);
  const student = results.students.find(evidence);
  const { expected, found } = evidence(student);
  const page = await open(`students/${student.id}.html`);
  const text = await page.locator('main').innerText();
  assert.match(text, new RegExp(`expected ${expected.text}\\s*, found ${found.text}`));
  assert.match(text, /[\d.]+ points? lost · /);
});

await check('A14 a growth has as many points as the results', async () => {
  const page = await open('index.html');
  for (const student of results.students) {
    const growths = student.problems.flatMap(problem => problem.subtasks).filter(subtask => subtask.growth?.points.length > 1);
    if (growths.length === 0) continue;
    await go(page, `students/${student.id}.html`);
    const counts = await page.locator('svg.plot').evaluateAll(plots => plots.map(plot => plot.querySelectorAll('.point, .stopped').length));
    assert.deepEqual(counts, growths.map(it => it.growth.points.length), student.id);
  }
});

await check('A15 staff reads the source, and messages of compilers lead to their line', async () => {
  const student = results.students.find(student => student.problems.some(problem => problem.verdict === 'CE' && problem.build?.messages));
  const page = await open(`staff/${student.id}.html`);
  assert.ok(await page.locator('.source span').count() > 0);
  const link = page.locator('pre a[href*=".f0."]').first();
  const target = await link.getAttribute('href');
  assert.equal(await page.locator(`[id="${target.slice(1)}"]`).count(), 1);
  for (const kind of ['k', 'n', 'q']) assert.ok(await page.locator(`.source .${kind}`).count() > 0, kind);
});

await check('A15 staff walks from page to page', async () => {
  const page = await open(files('staff')[0]);
  let count = 1;
  for (; await page.locator('a[rel=next]').count() > 0; count++) {
    page.wanted = await page.locator('a[rel=next]').evaluate(link => link.href);
    await page.locator('a[rel=next]').click();
    await page.waitForURL(page.wanted);
    if (count > results.students.length) break;
  }
  assert.ok(count <= results.students.length);
});

await check('A16 a student page has no script and no other student', async () => {
  for (const student of results.students) {
    const name = files('students').find(name => readFileSync(join(pages, name), 'utf8').includes(`<h1>${student.id}`));
    const text = readFileSync(join(pages, name), 'utf8');
    assert.ok(!text.includes('<script') && !text.includes('../'), name);
    for (const other of results.students) assert.ok(other.id === student.id || !text.includes(other.id), `${name}: ${other.id}`);
  }
});

await check('A17 axe finds nothing; no page scrolls sideways at 320 px', async () => {
  // A theme changes colours only, so every other rule is tried in one of them.
  const rules = {
    light: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    dark: { runOnly: { type: 'rule', values: ['color-contrast'] } },
  };
  // Another language changes texts only: then one page of each kind.
  const chinese = readFileSync(join(pages, 'index.html'), 'utf8').includes('<html lang="zh');
  for (const name of ['index.html', 'print.html', ...files('staff').slice(0, chinese ? 1 : 99), ...files('students').slice(0, chinese ? 1 : 3)]) {
    const page = await open(name, { axe: true, context: { reducedMotion: 'reduce' } });
    await page.evaluate(axe);
    for (const [colorScheme, options] of Object.entries(rules)) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(options => window.axe.run({ ...options, resultTypes: ['violations'] }), options);
      assert.deepEqual(violations.map(it => `${it.id}: ${it.nodes[0].html}`), [], `${name} ${colorScheme}`);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `${name}: ${width}`);
    await page.context().close();
  }
});

await check('A18 a student is printed on at most 4 pages', async () => {
  const page = await open('index.html');
  for (const name of files('students')) {
    await go(page, name);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const count = (pdf.match(/\/Type\s*\/Page\b/g) ?? []).length;
    assert.ok(count <= 4, `${name}: ${count}`);
  }
});

await check('A18 each sheet of the page to print begins on a page of its own', async () => {
  const page = await open('print.html');
  assert.equal(await page.locator('.sheet h1').count(), results.students.length);
  await page.emulateMedia({ media: 'print' });
  const breaks = await page.locator('.sheet').evaluateAll(sheets => sheets.map(sheet => getComputedStyle(sheet).breakAfter));
  assert.ok(breaks.every(it => it === 'page'), breaks.join());
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.ok((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length >= results.students.length);
});

await check('A18 on paper nothing is folded, and controls are gone', async () => {
  const page = await open('index.html', { context: { colorScheme: 'light' } });
  const closed = page.locator('details:not([open])');
  const before = await closed.count();
  assert.ok(before > 0);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await closed.count(), 0);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.controls').isVisible(), false);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.equal(await closed.count(), before);
  // Statements and sources are folded and not printed.
  const folded = /<details(?! class="folded )/;
  for (const name of files('students')) assert.ok(!folded.test(readFileSync(join(pages, name), 'utf8')), name);
});

// Sizes and elements are held to; durations depend on the machine and are printed.
await check('A20 sizes and elements', async () => {
  const sizes = folder => files(folder).map(name => statSync(join(pages, name)).size).sort((a, b) => a - b);
  const most = (what, size, budget) => {
    console.log(`     ${what}: ${size} (at most ${budget})`);
    assert.ok(size <= budget, `${what}: ${size}`);
  };
  most('bytes of index.html', statSync(join(pages, 'index.html')).size, 1_000_000);
  most('bytes of index.html, compressed', gzipSync(readFileSync(join(pages, 'index.html'))).length, 100_000);
  for (const [folder, median, largest] of [['staff', 100_000, 400_000], ['students', 60_000, 200_000]]) {
    const all = sizes(folder);
    most(`bytes of the median of ${folder}/`, all[all.length >> 1], median);
    most(`bytes of the largest of ${folder}/`, all.at(-1), largest);
  }
  most('bytes of all', all.reduce((sum, name) => sum + statSync(join(pages, name)).size, 0), 70_000_000);
  most('bytes of the single file', statSync(single).size, 8_000_000);
  const page = await open('index.html');
  const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
  most('elements of index.html', await page.locator('*').count(), 18_000);
  const filtered = await page.evaluate(() => {
    const began = performance.now();
    document.getElementById('filter').value = 'verdict:tle';
    document.getElementById('filter').dispatchEvent(new Event('input'));
    return document.body.offsetHeight && performance.now() - began;
  });
  console.log(`     loaded in ${loaded.toFixed(0)} ms, filtered in ${filtered.toFixed(0)} ms`);
});

await check('A21 of a class of more than 500, rows come when they are needed', async () => {
  if (!readFileSync(join(pages, 'index.html'), 'utf8').includes('id="rest"')) return;
  const page = await open('index.html');
  const rows = page.locator('#matrix tbody tr');
  const students = files('staff').length;
  assert.equal(await rows.count(), 500);
  await page.locator('.scroll.tall').evaluate(region => { region.scrollTop = region.scrollHeight; });
  await page.waitForFunction(all => document.querySelectorAll('#matrix tbody tr').length === all, students);
  await page.fill('#filter', `s0${students - 1}`);
  assert.equal(await rows.count(), 1);
  assert.equal(await page.locator('#count').textContent(), `1 of ${students} students`);
  await page.fill('#filter', '');
  const line = page.locator('.run').last();
  const id = await line.getAttribute('data-row');
  assert.ok(Number(id) > 500, id);
  await line.dispatchEvent('click');
  await page.waitForURL(/staff/);
});

await check('one file: each student opens in place, and the address leads back there', async () => {
  const page = await open(single);
  const { id, problems } = results.students.find(student => student.problems.some(problem => problem.verdict !== 'AC' && problem.subtasks.length > 0));
  await page.locator('#matrix a').filter({ hasText: id }).click();
  await page.locator('#person h1').waitFor();
  assert.equal(await page.locator('#person h1').innerText(), id);
  assert.equal(await page.locator('#matrix').isVisible(), false);
  const expected = readFileSync(join(pages, 'staff', `${id}.html`), 'utf8');
  // What was neither submitted nor corrected has only a line at the top.
  const told = problems.filter(problem => problem.status !== 'not-submitted' || problem.adjustments.length > 0);
  assert.equal(await page.locator('#person section').count(), told.length);
  assert.ok(expected.includes((await page.locator('#person .score').first().innerText()).slice(0, 20)));
  const again = await open(single, {}, new URL(page.url()).hash);
  await again.locator('#person h1').waitFor();
  assert.equal(await again.locator('#person h1').innerText(), id);
  await page.goBack();
  await page.locator('#matrix').waitFor();
  assert.deepEqual([...page.said, ...again.said].filter(text => !text.startsWith('file:')), []);
});

await browser.close();
if (failed.length > 0) process.exit(1);
