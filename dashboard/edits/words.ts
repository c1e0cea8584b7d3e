import { words } from '../language/language.ts';

export const EDIT_WORDS = words({
  en: {
    saved: 'Saved.',
    /** Fields that others have changed since the page was shown. */
    alsoChanged: (fields: string) =>
      `Someone else also changed these fields, and their changes were kept: ${fields}.`,
    contested:
      'Someone else edited these fields while you had the page open. Your changes haven’t been saved. Review theirs below, then save again.',
    /** For buttons. */
    outdated:
      'Someone else changed something here while you had the page open, so your change wasn’t made. This page now shows the latest; try again if you still want to.',
    now: (value: string) =>
      `Someone else changed this to “${value}” while you were editing. Save again to replace it with yours.`,
    nothing: 'nothing',
    yes: 'yes',
    no: 'no',
  },
  pt: {
    saved: 'Guardado.',
    alsoChanged: (fields) =>
      `Outra pessoa também alterou estes campos, e as alterações dela foram mantidas: ${fields}.`,
    contested:
      'Outra pessoa alterou estes campos enquanto tinha a página aberta. As suas alterações ainda não foram guardadas. Veja as alterações da outra pessoa e guarde de novo.',
    outdated:
      'Outra pessoa alterou algo enquanto tinha a página aberta, por isso a sua alteração não foi feita. Esta página mostra agora a situação atual; se ainda quiser fazer a alteração, tente de novo.',
    now: (value) =>
      `Outra pessoa mudou isto para “${value}” enquanto editava. Guarde de novo para manter o que escreveu.`,
    nothing: 'nada',
    yes: 'sim',
    no: 'não',
  },
});
