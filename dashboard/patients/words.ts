import { words } from '../language/language.ts';

export const PATIENT_WORDS = words({
  en: {
    title: 'Find a patient',
    hint: 'Write the phone as it is dialled in your country or with + and another country, some words of the name or how they begin, the patient’s or the appointment’s number in your other system, or the number of an appointment here.',
    found: (count: number, shown: string, question: string) =>
      count === 1 ? `One patient for “${question}”.` : `${shown} patients for “${question}”.`,
    more: 'There are more: write more of the name.',
    nobody: (question: string) => `Nobody is found for “${question}”.`,
    book: 'New appointment',
    number: 'Number in your other system',
    next: 'Next visit',
    noNext: 'Nothing is booked.',
    earlier: 'Earlier and cancelled',
    again: 'Book again',
  },
  pt: {
    title: 'Procurar um paciente',
    hint: 'Escreva o telefone como se marca no seu país ou com + e outro país, algumas palavras do nome ou o início delas, o número do paciente ou da marcação no seu outro sistema, ou o número de uma marcação aqui.',
    found: (count, shown, question) =>
      count === 1 ? `Um paciente para “${question}”.` : `${shown} pacientes para “${question}”.`,
    more: 'Há mais: escreva mais do nome.',
    nobody: (question) => `Não se encontrou ninguém para “${question}”.`,
    book: 'Nova marcação',
    number: 'Número no seu outro sistema',
    next: 'Próxima consulta',
    noNext: 'Nada está marcado.',
    earlier: 'Anteriores e canceladas',
    again: 'Marcar de novo',
  },
});
