import type { Erased, Kept } from '../../commands/patients/erase-patient.ts';
import { words } from '../language/language.ts';

export const DATA_WORDS = words({
  en: {
    title: 'Patient data',
    phone: 'Phone number',
    names: 'Patient',
    noName: 'No appointments, only calls',
    appointments: 'Appointments',
    calls: 'Calls',
    callsKept: 'Calls left out (the phone is shared)',
    nothing: 'Nothing is stored about this patient. The data may already have been erased.',
    search: 'Search for another patient',
    export: {
      title: 'Export',
      text: 'A JSON file with everything that is stored: appointments with answers, calls with transcripts, events that were sent to other systems, and a list of who saw the patient’s data. The recordings are on the pages of the calls.',
      button: 'Download the data',
    },
    erase: {
      title: 'Erase',
      text: 'Erases the name, phone number, notes, answers, transcripts and recordings for good, here and in stored events. Connected systems are told to erase their copies. This cannot be undone.',
      kept: 'Times, professionals, services and statuses stay in the calendar, without the patient. Upcoming appointments are not cancelled.',
      byName: {
        label: 'To confirm, type the patient’s name',
        wrong: 'This is not the patient’s name. Nothing was erased.',
      },
      byPhone: {
        label: 'To confirm, type the phone number again',
        wrong: 'This is not the phone number above. Nothing was erased.',
      },
      button: 'Erase the data',
    },
    result: {
      title: 'Patient data erased',
      done: 'The patient’s data was erased.',
      erasedTitle: 'What was erased',
      erased: {
        appointments: 'Appointments',
        calls: 'Calls',
        recordings: 'Recordings',
        events: 'Events',
        npsResponses: 'Feedback comments',
        triageForms: 'Intake forms',
        recalls: 'Recalls',
        keptAnswers: 'Stored API responses',
      } satisfies Record<Exclude<keyof Erased, 'callsKept'>, string>,
      recordings: 'The audio is deleted within two minutes.',
      keptTitle: 'What stays, and why',
      kept: {
        appointments:
          'Time, professional, service, status and history of the appointments, without the patient: the calendar and the statistics need them.',
        calls:
          'Time and outcome of the calls, without phone number, transcript and recording: the statistics need them.',
        callsOfSharedPhones:
          'Calls from a phone that other patients use too: they cannot be told apart. To erase them as well, search for the phone number and erase everything with this number.',
        accessLog:
          'The access log, which proves who saw the data. It contains no names and no phone numbers.',
        backups: 'Backups contain the data until they expire.',
      } satisfies Record<Kept, string>,
      told: 'Connected systems receive the event “patient.erased”, so that they erase their copies.',
    },
  },
  pt: {
    title: 'Dados do paciente',
    phone: 'Número de telefone',
    names: 'Paciente',
    noName: 'Sem marcações, apenas chamadas',
    appointments: 'Marcações',
    calls: 'Chamadas',
    callsKept: 'Chamadas não incluídas (o telefone é partilhado)',
    nothing: 'Não há dados guardados sobre este paciente. Os dados podem já ter sido eliminados.',
    search: 'Procurar outro paciente',
    export: {
      title: 'Exportar',
      text: 'Um ficheiro JSON com tudo o que está guardado: marcações com as respostas, chamadas com as transcrições, eventos enviados a outros sistemas e a lista de quem viu os dados do paciente. As gravações estão nas páginas das chamadas.',
      button: 'Descarregar os dados',
    },
    erase: {
      title: 'Eliminar',
      text: 'Elimina definitivamente o nome, o número de telefone, as notas, as respostas, as transcrições e as gravações, aqui e nos eventos guardados. Os sistemas ligados à clínica são avisados para eliminarem as cópias que têm. Não é possível anular esta ação.',
      kept: 'As horas, os profissionais, os serviços e os estados ficam na agenda, sem o paciente. As marcações futuras não são canceladas.',
      byName: {
        label: 'Para confirmar, escreva o nome do paciente',
        wrong: 'Este não é o nome do paciente. Nada foi eliminado.',
      },
      byPhone: {
        label: 'Para confirmar, escreva de novo o número de telefone',
        wrong: 'Este não é o número de telefone indicado acima. Nada foi eliminado.',
      },
      button: 'Eliminar os dados',
    },
    result: {
      title: 'Dados do paciente eliminados',
      done: 'Os dados do paciente foram eliminados.',
      erasedTitle: 'O que foi eliminado',
      erased: {
        appointments: 'Marcações',
        calls: 'Chamadas',
        recordings: 'Gravações',
        events: 'Eventos',
        npsResponses: 'Comentários das avaliações',
        triageForms: 'Formulários prévios',
        recalls: 'Convocatórias',
        keptAnswers: 'Respostas da API guardadas',
      },
      recordings: 'O áudio é eliminado no prazo de dois minutos.',
      keptTitle: 'O que fica, e porquê',
      kept: {
        appointments:
          'Hora, profissional, serviço, estado e histórico das marcações, sem o paciente: estes dados são necessários para a agenda e para as estatísticas.',
        calls:
          'Hora e resultado das chamadas, sem número de telefone, transcrição nem gravação: estes dados são necessários para as estatísticas.',
        callsOfSharedPhones:
          'Chamadas de um telefone que outros pacientes também usam: não é possível saber de que paciente são. Para eliminar também essas chamadas, procure o número de telefone e elimine tudo o que tem esse número.',
        accessLog:
          'O registo de acessos, que prova quem viu os dados. Esse registo não contém nomes nem números de telefone.',
        backups: 'As cópias de segurança contêm os dados até expirarem.',
      },
      told: 'Os sistemas ligados à clínica recebem o evento “patient.erased”, para eliminarem as cópias que têm.',
    },
  },
});
