import type { Words } from '../language/language.ts';

interface BoxWords {
  label: string;
  placeholder: string;
  button: string;
}

export const SEARCH_WORDS: Words<Record<'patients' | 'anything', BoxWords>> = {
  en: {
    patients: { label: 'Find a patient', placeholder: 'Name, phone or ID', button: 'Search' },
    anything: { label: 'Search', placeholder: 'Clinic, ID, phone, host', button: 'Search' },
  },
  pt: {
    patients: {
      label: 'Procurar um paciente',
      placeholder: 'Nome, telefone ou ID',
      button: 'Procurar',
    },
    anything: { label: 'Procurar', placeholder: 'Clínica, ID, telefone', button: 'Procurar' },
  },
};
