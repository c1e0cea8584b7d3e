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
        hold: 'A hold',
        call: 'A call',
        recording: 'A call recording',
        endpoint: 'A webhook endpoint',
        delivery: 'A webhook delivery',
        replay: 'A replay of missed events',
        notification: 'An alert',
        event: 'An event',
        request: 'An API request',
        person: 'A person who signs in',
      } satisfies Record<Owned['kind'], string>,
      clinic: 'Clinic',
    },
    heads: {
      clinic: 'Clinic',
      status: 'Status',
      endpoint: 'Endpoint',
      open: 'Waiting',
      oldest: 'Oldest',
      answer: 'Last answer',
    },
    stuck: {
      title: 'Stuck deliveries',
      text: 'Endpoints with deliveries that have waited for more than a minute. The longest wait comes first.',
      none: 'No deliveries are stuck.',
      retried: (count: number, shown: string) =>
        count === 1 ? 'Retrying one delivery now.' : `Retrying ${shown} deliveries now.`,
      noShows: (count: number, shown: string) =>
        count === 1
          ? 'One appointment should already be a no-show.'
          : `${shown} appointments should already be no-shows.`,
      noNoShows: 'No no-show timers are overdue.',
      timers: 'No-show timers',
      notYet: 'no attempts yet',
      delayed: 'Delayed',
      health: 'Check the whole system',
    },
    health: {
      title: 'System status',
      text: 'Checks the database, the workers’ connection to Temporal, and whether any work is overdue. To check Temporal itself too, run npm run admin -- doctor.',
      examine: 'Check now',
      well: 'All checks passed.',
      ill: 'At least one check failed.',
      check: 'Check',
      result: 'Result',
      detail: 'Details',
      fine: 'OK',
      wrong: 'Problem',
    },
  },
  pt: {
    search: {
      is: {
        tenant: 'Uma clínica',
        key: 'Uma chave de API',
        professional: 'Um profissional',
        service: 'Um serviço',
        block: 'Um período bloqueado',
        appointment: 'Uma marcação',
        hold: 'Uma reserva de horário',
        call: 'Uma chamada',
        recording: 'A gravação de uma chamada',
        endpoint: 'Um endpoint de webhook',
        delivery: 'Uma entrega de webhook',
        replay: 'Um reenvio de eventos em falta',
        notification: 'Um alerta',
        event: 'Um evento',
        request: 'Um pedido à API',
        person: 'Uma pessoa que inicia sessão',
      },
      clinic: 'Clínica',
    },
    heads: {
      clinic: 'Clínica',
      status: 'Estado',
      endpoint: 'Endpoint',
      open: 'À espera',
      oldest: 'Mais antiga',
      answer: 'Última resposta',
    },
    stuck: {
      title: 'Entregas paradas',
      text: 'Endpoints com entregas à espera há mais de um minuto. Os endpoints com a espera mais longa aparecem primeiro.',
      none: 'Não há entregas paradas.',
      retried: (count, shown) =>
        count === 1 ? 'A tentar de novo uma entrega.' : `A tentar de novo ${shown} entregas.`,
      noShows: (count, shown) =>
        count === 1
          ? 'Uma marcação já devia ter passado a falta.'
          : `${shown} marcações já deviam ter passado a falta.`,
      noNoShows: 'Não há temporizadores de falta em atraso.',
      timers: 'Temporizadores de falta',
      notYet: 'ainda sem tentativas',
      delayed: 'Em atraso',
      health: 'Verificar todo o sistema',
    },
    health: {
      title: 'Estado do sistema',
      text: 'Verifica se a base de dados funciona, se os workers têm ligação ao Temporal e se há tarefas em atraso. Para verificar também o próprio Temporal, execute npm run admin -- doctor.',
      examine: 'Verificar agora',
      well: 'Está tudo em ordem.',
      ill: 'Pelo menos uma verificação falhou.',
      check: 'Verificação',
      result: 'Resultado',
      detail: 'Detalhes',
      fine: 'OK',
      wrong: 'Problema',
    },
  },
});
