-- Outputs are no longer stored to be judged again.
DROP TABLE kept;
UPDATE job SET runs = NULL;
UPDATE job SET taken = 'reused', origin = json_object('kind', 'reused', 'run', built) WHERE taken = 'checked';
ALTER TABLE yardstick RENAME TO reference_time;
ALTER TABLE reference_time RENAME COLUMN said TO time;
