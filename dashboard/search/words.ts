import type { Words } from '../language/language.ts';

interface BoxWords {
  label: string;
  placeholder: string;
  button: string;
}

export const SEARCH_WORDS: Words<Record<'patients' | 'anything', BoxWords>> = {
  en: {
    patients: { label: 'Find a patient', placeholder: 'Patient: name, phone, ID', button: 'Search' },
    anything: { label: 'Search', placeholder: 'Clinic, time, ID, phone, host', button: 'Search' },
  },
  pt: {
    patients: {
      label: 'Procurar um paciente',
      placeholder: 'Paciente: nome, telefone, ID',
      button: 'Procurar',
    },
    anything: { label: 'Procurar', placeholder: 'Clínica, hora, ID, telefone, host', button: 'Procurar' },
  },
};
