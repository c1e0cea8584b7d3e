import { words } from '../../language/language.ts';

/** Whether the clinic’s practice software has written an appointment. */
export const UNACKNOWLEDGED_WORDS = words({
  en: {
    title: 'Missing in the practice software',
    text: 'The practice software refused these appointments, or did not confirm them in time. Until the cause is fixed, enter the appointments there by hand.',
    none: 'No appointment is missing in the practice software.',
    all: 'All missing appointments',
    next: 'Later appointments',
    heads: { time: 'When', why: 'Why' },
    /** In the list and on the page of an appointment. */
    refused: (reason: string) => `Refused: ${reason}`,
    refusedSilently: 'Refused without a reason',
    missing: 'Not confirmed in time',
    missingAfter: (minutes: string) => `Not confirmed after ${minutes} min`,
    practiceSoftware: 'Practice software',
    written: (by: string, when: string) => `Written by ${by}, ${when}`,
    by: (what: string, by: string, when: string) => `${what} (${by}, ${when})`,
    notYet: 'The latest change has not been confirmed yet',
  },
  pt: {
    title: 'Em falta no software da clínica',
    text: 'O software da clínica recusou estas marcações ou não as confirmou a tempo. Até a causa estar corrigida, registe as marcações manualmente no software da clínica.',
    none: 'Não falta nenhuma marcação no software da clínica.',
    all: 'Todas as marcações em falta',
    next: 'Marcações seguintes',
    heads: { time: 'Quando', why: 'Porquê' },
    refused: (reason) => `Recusada: ${reason}`,
    refusedSilently: 'Recusada, sem indicação do motivo',
    missing: 'Não confirmada a tempo',
    missingAfter: (minutes) => `Por confirmar ao fim de ${minutes} min`,
    practiceSoftware: 'Software da clínica',
    written: (by, when) => `Registada por ${by}, ${when}`,
    by: (what, by, when) => `${what} (${by}, ${when})`,
    notYet: 'A última alteração ainda não foi confirmada',
  },
});
