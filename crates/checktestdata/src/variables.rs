//! The variables of a program.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::reader::{Done, mistake};
use crate::value::Value;

/// Bound on the memory of variables, in words of 8 bytes, and what an element of an array takes beyond its value.
const MAX_WORDS: u64 = 1 << 27;
const ELEMENT_WORDS: u64 = 40;

/// A variable, or an element of it.
pub(crate) struct Place {
    pub(crate) name: usize,
    pub(crate) index: Vec<Value>,
    /// Whether the index has integers only.
    pub(crate) can_be_set: bool,
}

/// The values of a variable: the one without an index has an empty one.
#[derive(Default)]
struct Array {
    values: HashMap<Vec<Value>, Value>,
    /// How many elements have a value.
    counts: HashMap<Value, usize>,
    /// Bound on its size.
    words: u64,
}

#[derive(Default)]
pub(crate) struct Variables {
    arrays: Vec<Array>,
    words: u64,
}

impl Variables {
    pub(crate) fn new(count: usize) -> Self {
        let arrays = std::iter::repeat_with(Array::default).take(count).collect();
        Self { arrays, words: 0 }
    }

    pub(crate) fn get(&self, place: &Place) -> Option<&Value> {
        self.arrays[place.name].values.get(&place.index)
    }

    /// Bound on the size of one.
    pub(crate) fn words(&self, name: usize) -> u64 {
        self.arrays[name].words
    }

    pub(crate) fn unset(&mut self, name: usize) {
        self.words -= std::mem::take(&mut self.arrays[name]).words;
    }

    pub(crate) fn assign(&mut self, place: &Place, value: Value) -> Done<()> {
        if !place.can_be_set {
            return mistake("an index must be an integer");
        }
        let index: u64 = place.index.iter().map(|it| 8 + it.words()).sum();
        let size = |value: &Value| ELEMENT_WORDS + 2 * (index + value.words());
        let (new, key) = (size(&value), value.clone().key());
        let array = &mut self.arrays[place.name];
        let old = array.values.insert(place.index.clone(), value);
        let freed = old.as_ref().map_or(0, size);
        if !place.index.is_empty() {
            *array.counts.entry(key).or_default() += 1;
            let old = old.map(Value::key);
            if let Some((old, count)) = old.and_then(|it| array.counts.remove_entry(&it))
                && count > 1
            {
                array.counts.insert(old, count - 1);
            }
        }
        array.words = array.words + new - freed;
        self.words = self.words + new - freed;
        if self.words > MAX_WORDS {
            return mistake(format!(
                "its variables need more than {} MiB",
                MAX_WORDS >> 17
            ));
        }
        Ok(())
    }

    pub(crate) fn is_in(&self, value: &Value, name: usize) -> Done<bool> {
        let array = &self.arrays[name];
        let single = array.values.get(&[][..]);
        match single.map(|it| it.order(value)) {
            Some(None) => mistake("cannot compare a number and a string"),
            Some(Some(Ordering::Equal)) => Ok(true),
            _ => Ok(array.counts.contains_key(value)),
        }
    }

    /// Whether the tuples of the values with the same index differ; `None` if they have different indices.
    pub(crate) fn is_unique(&self, names: &[usize]) -> Option<bool> {
        let arrays: Vec<_> = names
            .iter()
            .map(|name| &self.arrays[*name].values)
            .collect();
        let tuple = |index| {
            let values = arrays
                .iter()
                .map(|it| it.get(index).cloned().map(Value::key));
            values.collect::<Option<Vec<_>>>()
        };
        let count = arrays[0].len();
        let tuples: Option<HashSet<_>> = arrays[0].keys().map(tuple).collect();
        let has_same = arrays.iter().all(|it| it.len() == count);
        tuples.filter(|_| has_same).map(|it| it.len() == count)
    }
}
