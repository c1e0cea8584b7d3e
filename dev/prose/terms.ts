/** A regular expression for a phrase and its replacement: docs/glossary.md and CONTRIBUTING.md */
type Term = readonly [found: string, instead: string];

/** Phrases refused in documents, comments, pages and the API. */
export const TERMS: readonly Term[] = [
  ['unless told( otherwise)?', 'by default'],
  ['anew', 'again'],
  ['who(?:m|so)?ever', 'anyone who'],
  ['mend', 'fix'],
  ['mends', 'fixes'],
  ['mended', 'fixed'],
  ['mending', 'fixing'],
  ['somebody', 'someone'],
  ['nobody', 'no one'],
  ['anybody', 'anyone'],
  ['everybody', 'everyone'],
  ['\\b(?:is|was|are) over\\b(?! (?:\\d|a|all|three)\\b)', 'has ended'],
  ['stands? there', 'is there'],
  ['stands? here', 'is here'],
  ['hears? of', 'learns of'],
  ['of late', 'recently'],
  ['so long as', 'while'],
  ['so far as', 'as far as'],
  ['lets? go of', 'releases'],
  ['call(?:ed)? off', 'cancel'],
  ['for want of', 'for lack of'],
  ['has fared', 'performance'],
  ['doings', 'actions'],
  ['must be said', 'is required'],
  ['lest', 'so that … not'],
  ['thereof', 'of it'],
  ['hitherto', 'until now'],
  ['in its stead', 'instead'],
  ['(?:takes?|took|taking) the place of', 'replace'],
  ['reckon(?:s|ed|ing)?', 'compute'],
  ['(?:is|was|are|were|be) told of', 'gets, is notified of'],
];

/** Phrases refused in the texts of pages, which use the glossary's terms. */
export const PAGE_TERMS: readonly Term[] = [
  ...TERMS,
  ['visits?', 'appointment'],
  ['receivers? of webhooks', 'endpoint'],
  ['who did what', 'activity log'],
  ['who read what', 'access log'],
  ['switch(?:ed)? (?:on|off)', 'enable, disable'],
  ['given up', 'failed'],
  ['você', 'third person without pronoun'],
  ['gerenciar', 'gerir'],
  ['deletar', 'eliminar'],
  ['usuários?', 'utilizador'],
  ['agendamentos?', 'marcação'],
  ['cadastr\\p{L}*', 'registo'],
];
