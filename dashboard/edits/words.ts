import { words } from '../language/language.ts';

export const EDIT_WORDS = words({
  en: {
    saved: 'Saved.',
    /** Names the fields that someone else changed after the page was shown. */
    alsoChanged: (fields: string) =>
      `Someone else changed other fields in the meantime, and those changes were kept: ${fields}.`,
    contested:
      'Someone else edited these fields while you had the page open. Your changes haven’t been saved. Review the other person’s changes below, then save again.',
    /** For actions without fields, such as a button. */
    outdated:
      'Someone else changed something here while you had the page open, so your change wasn’t made. This page now shows the latest version. If you still want the change, try again.',
    now: (value: string) =>
      `Someone else changed this to “${value}” while you were editing. Save again to replace it with what you entered.`,
    nothing: 'nothing',
    yes: 'yes',
    no: 'no',
  },
  pt: {
    saved: 'Guardado.',
    alsoChanged: (fields) =>
      `Entretanto, outra pessoa alterou outros campos, e essas alterações foram mantidas: ${fields}.`,
    contested:
      'Outra pessoa alterou estes campos enquanto a página esteve aberta. As suas alterações ainda não foram guardadas. Veja as alterações da outra pessoa e guarde de novo.',
    outdated:
      'Outra pessoa alterou algo enquanto a página esteve aberta, por isso a sua alteração não foi feita. Esta página mostra agora a versão atual. Se ainda quiser fazer a alteração, tente de novo.',
    now: (value) =>
      `Outra pessoa alterou este campo para “${value}” enquanto escrevia. Se guardar de novo, esse valor é substituído pelo que escreveu.`,
    nothing: 'nada',
    yes: 'sim',
    no: 'não',
  },
});
