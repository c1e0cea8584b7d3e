import type { Words } from '../language/language.ts';

interface BoxWords {
  label: string;
  placeholder: string;
  button: string;
}

export const SEARCH_WORDS: Words<Record<'patients' | 'anything', BoxWords>> = {
  en: {
    patients: { label: 'Find a patient', placeholder: 'Patient: name, phone, number', button: 'Find' },
    anything: { label: 'Find anything', placeholder: 'Clinic, time, id, phone, host', button: 'Find' },
  },
  pt: {
    patients: {
      label: 'Procurar um paciente',
      placeholder: 'Nome, telefone, número',
      button: 'Procurar',
    },
    anything: {
      label: 'Procurar qualquer coisa',
      placeholder: 'Clínica, hora, id, host',
      button: 'Procurar',
    },
  },
};
