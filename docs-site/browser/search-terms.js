/** Words that stand in every question. */
const NOISE = new Set(
  'a an and are as at be by can do does for from has have how i if in is it its many may me mean means much my of on or shall should so that the their them then there they this to too was we what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** What readers say, and what the pages call it. */
const SAME = {
  move: 'reschedule',
  postpone: 'reschedule',
  arrive: 'checkin',
  attended: 'checkin',
  throttle: 'limit',
  quota: 'limit',
  token: 'key',
  twice: 'duplicate',
  double: 'duplicate',
  dedupe: 'duplicate',
  hmac: 'signature',
  audio: 'recording',
  telephone: 'phone',
  opening: 'business',
  localhost: 'machine',
};

/** How the index is made and asked: the same on the server and in the browser. */
export const SEARCH_OPTIONS = {
  fields: ['page', 'heading', 'keywords', 'text'],
  storeFields: ['page', 'heading', 'about'],
  processTerm: searchTerm,
  searchOptions: {
    boost: { page: 3, heading: 4, keywords: 3 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    weights: { fuzzy: 0.2, prefix: 0.5 },
  },
};

/** The stem of a word, in the pages’ own words; null for one that says nothing. */
export function searchTerm(word) {
  const plain = word.toLowerCase();
  if (NOISE.has(plain) || plain === '') return null;
  const stem = SAME[plain] ?? stemOf(plain);
  return SAME[stem] ?? stem;
}

function stemOf(word) {
  if (word.length < 5) return word.length === 4 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
  return word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:([^aeiou])\1)?(?:ing|ed)$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/e$/, '');
}
