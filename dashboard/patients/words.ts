import { words } from '../language/language.ts';

export const PATIENT_WORDS = words({
  en: {
    title: 'Find a patient',
    hint: 'Search by full phone number, part of the name, or the patient’s ID in your practice software.',
    found: (count: number, shown: string, question: string) =>
      count === 1 ? `One patient matches “${question}”.` : `${shown} patients match “${question}”.`,
    more: 'There are more matches than are shown. Enter more of the name.',
    noMatch: (question: string) => `No patients match “${question}”.`,
    book: 'New appointment',
    number: 'External ID',
    next: 'Next appointment',
    noNext: 'No upcoming appointment.',
    earlier: 'Past and cancelled appointments',
    again: 'Book again',
    data: 'Export or erase data',
    dataOfPhone: 'Export or erase everything with this phone number',
  },
  pt: {
    title: 'Procurar um paciente',
    hint: 'Procure pelo número de telefone completo, por parte do nome ou pelo ID do paciente no software da clínica.',
    found: (count, shown, question) =>
      count === 1
        ? `Um paciente corresponde a “${question}”.`
        : `${shown} pacientes correspondem a “${question}”.`,
    more: 'Há mais resultados do que os mostrados. Escreva mais letras do nome.',
    noMatch: (question) => `Nenhum paciente corresponde a “${question}”.`,
    book: 'Nova marcação',
    number: 'ID externo',
    next: 'Próxima marcação',
    noNext: 'Sem marcações futuras.',
    earlier: 'Marcações anteriores e canceladas',
    again: 'Marcar de novo',
    data: 'Exportar ou eliminar dados',
    dataOfPhone: 'Exportar ou eliminar tudo o que tem este número de telefone',
  },
});
