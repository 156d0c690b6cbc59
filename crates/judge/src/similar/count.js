// Counts the ways to fill the rows that are left.
function place(full, columns, left, right) {
  if (columns === full) {
    return 1;
  }
  let count = 0;
  for (let free = full & ~(columns | left | right); free !== 0; free &= free - 1) {
    const bit = free & -free;
    count += place(full, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

const n = Number(require('fs').readFileSync(0, 'utf8'));
console.log(`${place((1 << n) - 1, 0, 0, 0)}`);
