import type { Owned } from '../../db/clinic/find-owner.ts';
import { words } from '../language/language.ts';

export const SUPPORT_WORDS = words({
  en: {
    search: {
      is: {
        tenant: 'A clinic',
        key: 'An API key',
        professional: 'A professional',
        service: 'A service',
        block: 'Blocked time',
        appointment: 'An appointment',
        hold: 'A time that is held',
        call: 'A call',
        recording: 'The recording of a call',
        endpoint: 'A webhook endpoint',
        delivery: 'A webhook delivery',
        replay: 'A replay of what an endpoint missed',
        notification: 'A notice about an endpoint',
        event: 'An event',
        request: 'A request of a program',
        person: 'Somebody who signs in',
      } satisfies Record<Owned['kind'], string>,
      clinic: 'Clinic',
    },
    heads: {
      clinic: 'Clinic',
      status: 'State',
      endpoint: 'Endpoint',
      open: 'Open',
      oldest: 'Oldest',
      error: 'Last error',
    },
    stuck: {
      title: 'Stuck deliveries',
      text: 'Endpoints with events that have waited for more than a minute, the longest first.',
      none: 'Nothing is stuck.',
      retry: 'Retry all now',
      retried: (count: number, shown: string) =>
        count === 1 ? 'One delivery is attempted again now.' : `${shown} deliveries are attempted again now.`,
      noShows: (count: number, shown: string) =>
        count === 1
          ? 'One appointment should have been marked as a no-show by now.'
          : `${shown} appointments should have been marked as no-shows by now.`,
      noNoShows: 'No timer is overdue.',
      timers: 'Timers',
      notYet: 'not attempted yet',
      health: 'Examine the whole service',
    },
    health: {
      title: 'Is the service well?',
      text: 'What is overdue, how the database is, and whether a worker reaches Temporal. npm run admin -- doctor asks Temporal itself too.',
      examine: 'Examine now',
      well: 'Everything is well.',
      ill: 'Something is not well.',
      check: 'Part',
      result: 'Result',
      detail: 'What was found',
      fine: 'Well',
      wrong: 'Ill',
    },
  },
  pt: {
    search: {
      is: {
        tenant: 'Uma clínica',
        key: 'Uma chave de API',
        professional: 'Um profissional',
        service: 'Um serviço',
        block: 'Um bloqueio de tempo',
        appointment: 'Uma marcação',
        hold: 'Uma hora guardada',
        call: 'Uma chamada',
        recording: 'A gravação de uma chamada',
        endpoint: 'Um endpoint de webhook',
        delivery: 'Uma entrega de webhook',
        replay: 'Uma repetição do que um endpoint perdeu',
        notification: 'Um aviso sobre um endpoint',
        event: 'Um evento',
        request: 'Um pedido de um programa',
        person: 'Alguém que inicia sessão',
      },
      clinic: 'Clínica',
    },
    heads: {
      clinic: 'Clínica',
      status: 'Estado',
      endpoint: 'Endpoint',
      open: 'Em aberto',
      oldest: 'Mais antiga',
      error: 'Último erro',
    },
    stuck: {
      title: 'Entregas paradas',
      text: 'Endpoints com eventos à espera há mais de um minuto, os mais antigos primeiro.',
      none: 'Nada está parado.',
      retry: 'Tentar tudo agora',
      retried: (count, shown) =>
        count === 1
          ? 'Uma entrega é tentada de novo agora.'
          : `${shown} entregas são tentadas de novo agora.`,
      noShows: (count, shown) =>
        count === 1
          ? 'Uma marcação já devia estar dada como falta.'
          : `${shown} marcações já deviam estar dadas como faltas.`,
      noNoShows: 'Nenhum temporizador está atrasado.',
      timers: 'Temporizadores',
      notYet: 'ainda não tentada',
      health: 'Examinar todo o serviço',
    },
    health: {
      title: 'O serviço está bem?',
      text: 'O que está atrasado, como está a base de dados e se algum worker alcança o Temporal. npm run admin -- doctor pergunta também ao próprio Temporal.',
      examine: 'Examinar agora',
      well: 'Está tudo bem.',
      ill: 'Algo não está bem.',
      check: 'Parte',
      result: 'Resultado',
      detail: 'O que se encontrou',
      fine: 'Bem',
      wrong: 'Mal',
    },
  },
});
