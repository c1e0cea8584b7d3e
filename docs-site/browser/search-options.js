/** Words that stand in every question. */
const NOISE = new Set(
  'a am an and any are as at be been by can could did do does for from get give got had happen happens has have how i if in into is it its just know like look many may me mean means much must my need of on only or our own possible put shall should so some someone still than that the their them then there they this to too us use using want was way we were what when where which who why will with without would you your'.split(
    ' ',
  ),
);

/** What readers say, and what the pages call it. */
const SAME = byStem({
  move: 'reschedule',
  postpone: 'reschedule',
  shift: 'reschedule',
  arrive: 'checkin',
  doctor: 'professional',
  dentist: 'professional',
  physician: 'professional',
  practitioner: 'professional',
  clinician: 'professional',
  visit: 'appointment',
  sdk: 'client',
  library: 'client',
  package: 'client',
  gdpr: 'erase',
  privacy: 'erase',
  delete: 'erase',
  forget: 'erase',
  swagger: 'openapi',
  postman: 'openapi',
  outage: 'down',
  offline: 'down',
  unavailable: 'down',
  picture: 'photo',
  cost: 'price',
  encrypt: 'encryption',
  revert: 'undo',
  restore: 'undo',
  uncancel: 'undo',
  unsubscribe: 'stop',
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
});

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
  const stem = stemOf(plain);
  return SAME[stem] ?? stem;
}

function byStem(words) {
  return Object.fromEntries(Object.entries(words).map((pair) => pair.map(stemOf)));
}

function stemOf(word) {
  if (word.length < 5) return word.length === 4 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
  return word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:([^aeiou])\1)?(?:ing|ed)$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/e$/, '');
}
