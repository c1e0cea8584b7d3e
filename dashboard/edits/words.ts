import { words } from '../language/language.ts';

export const EDIT_WORDS = words({
  en: {
    saved: 'Saved.',
    /** Fields that others have changed since the page was shown. */
    alsoChanged: (fields: string) =>
      `Since you opened the page somebody else has changed something too, and that stays: ${fields}.`,
    contested:
      'Since you opened this page somebody else has changed the same. Nothing of yours is saved yet: look at what stands there now, then save again.',
    /** To whoever presses a button. */
    outdated:
      'Since you opened this page somebody else has changed something here, so nothing of yours was done. The page shows how it stands now; if you still want it, do it again.',
    now: (value: string) =>
      `Somebody else has made this “${value}” meanwhile. If you save again, yours takes its place.`,
    nothing: 'nothing',
    yes: 'yes',
    no: 'no',
  },
  pt: {
    saved: 'Guardado.',
    alsoChanged: (fields) =>
      `Desde que abriu a página outra pessoa também mudou algo, e isso fica: ${fields}.`,
    contested:
      'Desde que abriu esta página outra pessoa mudou o mesmo. Ainda nada seu foi guardado: veja o que lá está agora e guarde de novo.',
    outdated:
      'Desde que abriu esta página outra pessoa mudou algo aqui, por isso nada do que pediu foi feito. A página mostra como está agora; se ainda o quiser, faça-o de novo.',
    now: (value) =>
      `Entretanto outra pessoa mudou isto para “${value}”. Se guardar de novo, vale o que escreveu.`,
    nothing: 'nada',
    yes: 'sim',
    no: 'não',
  },
});
