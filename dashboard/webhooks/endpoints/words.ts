import type { Standing } from './endpoint-state.ts';
import { words } from '../../language/language.ts';
import type { UpdateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';

/** The fields of the form, without those for integrations. */
type Field = Exclude<keyof UpdateEndpoint['fields'], 'ignoreActors'>;

export const ENDPOINT_WORDS = words({
  en: {
    intro:
      'When something happens in the clinic, for example a new appointment, we send an event to these addresses of your software.',
    comesFrom: (addresses: string) =>
      `Events come from ${addresses}: allow these addresses in your firewall.`,
    /** About a pull endpoint. */
    queue: {
      kind: 'A queue that your software reads (pull)',
      empty: 'Nothing is waiting.',
      waiting: (count: string, since: string) => `Events waiting: ${count}, the oldest ${since}.`,
      read: (at: string) => `Last read ${at}.`,
      neverRead: 'Not read yet.',
      name: 'Queue',
      request: 'Read with',
      choose: 'No URL: my software reads events from a queue (pull)',
      hint: 'For software behind a firewall that lets nothing in. Leave the URL empty.',
      both: 'Leave the URL empty, or untick the queue: an endpoint has one of them.',
    },
    heads: { endpoint: 'Endpoint', events: 'Events', state: 'Status', since: 'Added' },
    none: 'No endpoints yet. Add one so that your software hears immediately about new appointments and calls.',
    newEndpoint: 'New endpoint',
    form: {
      fields: {
        url: 'Endpoint URL',
        events: 'Events to send',
        description: 'Description',
      } satisfies Record<Field, string>,
      hints: {
        events: '“All events” includes event types we add later.',
        description: 'For example, the name of the system. Only visible to you.',
      } satisfies Record<'events' | 'description', string>,
      wrong: {
        events: 'Choose at least one event.',
        description: 'Enter at most 500 characters.',
      } satisfies Record<'events' | 'description', string>,
    },
    eventsBeyond:
      'The API key that created this link doesn’t have permission for all of these events. Choose fewer events, or ask the person who gave you the link.',
    single: 'Choose individual events (with examples)',
    sample: 'Example',
    create: 'Add endpoint',
    twin: 'Another endpoint already has this URL and these events. Your software would receive every event twice.',
    full: 'A clinic can have at most ten endpoints. First delete one that you no longer use.',
    states: {
      active: 'Active',
      refusing: 'Not accepting events',
      failing: 'Failing',
      paused: 'Paused',
      deactivated: 'Disabled after failing',
      disabled: 'Disabled',
    } satisfies Record<Standing, string>,
    lastAnswer: (answer: string, when: string) => `Last answer ${when}: ${answer}.`,
    accepted: (done: string, all: string) => `Accepted ${done} of ${all} attempts in the last 24 hours.`,
    /** Sentences: whether events arrive, and who must act. */
    about: {
      active: 'Events are sent as they happen.',
      refusing: 'We keep retrying, but nothing arrives until the team that runs the endpoint fixes it.',
      failing: (since: string, off: string) =>
        `Failing since ${since}. The endpoint will be disabled ${off}, unless a delivery succeeds or you change the URL or choose “Keep enabled”.`,
      unread: (since: string) =>
        `Not read since ${since}, while deliveries wait. Start your software that reads the queue.`,
      paused: (until: string) =>
        `Paused until ${until}. Deliveries wait, and are sent afterwards. Resume it to send them now.`,
      deactivated:
        'The endpoint failed for 24 hours, so we no longer send events to it. Fix the endpoint and enable it. You can then resend the missed events of the last 30 days.',
      disabled:
        'Someone at the clinic disabled this endpoint, so no events are sent. After you enable it, you can resend the missed events of the last 30 days.',
    },
    shown: {
      title: 'Signing secret',
      /** For an endpoint that was just added. */
      added: 'Endpoint added. Three more steps:',
      copyIt: '1. Copy the secret',
      text: 'Copy it now. You won’t be able to see it again. Your software uses it to check that an event comes from us.',
      use: '2. Add it to your software',
      keep: 'Store the secret like a password, for example in an environment variable:',
      verifyText: 'Use this code to verify incoming events. It needs no other packages:',
      guide: 'Full guide to receiving webhooks',
      next: '3. Test it',
      nextText:
        'A test event is signed and sent like any other event. You see the endpoint’s response immediately.',
      nextOfQueue:
        'A test event waits in the queue until your software reads it. To try it without your software, start this program on your computer (it needs Node 20):',
      test: 'Send a test event',
      done: 'I have copied it',
    },
  },
  pt: {
    intro:
      'Quando algo acontece na clínica, por exemplo uma nova marcação, enviamos um evento para estes endereços do seu software.',
    comesFrom: (addresses) => `Os eventos vêm de ${addresses}: permita estes endereços na sua firewall.`,
    queue: {
      kind: 'Uma fila que o seu software lê (pull)',
      empty: 'Não há nada à espera.',
      waiting: (count, since) => `Eventos à espera: ${count}, o mais antigo ${since}.`,
      read: (at) => `Última leitura ${at}.`,
      neverRead: 'Ainda não foi lida.',
      name: 'Fila',
      request: 'Ler com',
      choose: 'Sem URL: o meu software lê os eventos de uma fila (pull)',
      hint: 'Para software atrás de uma firewall que não deixa entrar nada. Deixe o URL vazio.',
      both: 'Deixe o URL vazio ou retire a seleção da fila: um endpoint não pode ter URL e fila ao mesmo tempo.',
    },
    heads: { endpoint: 'Endpoint', events: 'Eventos', state: 'Estado', since: 'Adicionado' },
    none: 'Ainda não há endpoints. Adicione um para que o seu software seja informado de imediato sobre novas marcações e chamadas.',
    newEndpoint: 'Novo endpoint',
    form: {
      fields: { url: 'URL do endpoint', events: 'Eventos a enviar', description: 'Descrição' },
      hints: {
        events: '“Todos os eventos” inclui os tipos que criarmos mais tarde.',
        description: 'Por exemplo, o nome do sistema. A descrição só é visível para si.',
      },
      wrong: { events: 'Escolha pelo menos um evento.', description: 'Escreva no máximo 500 caracteres.' },
    },
    eventsBeyond:
      'A chave de API com que este link foi criado não tem permissão para todos estes eventos. Escolha menos eventos ou fale com quem lhe enviou o link.',
    single: 'Escolher eventos (com exemplos)',
    sample: 'Exemplo',
    create: 'Adicionar endpoint',
    twin: 'Outro endpoint já tem este URL e estes eventos. O seu software receberia cada evento duas vezes.',
    full: 'Uma clínica pode ter no máximo dez endpoints. Elimine primeiro um que já não use.',
    states: {
      active: 'Ativo',
      refusing: 'Não aceita eventos',
      failing: 'A falhar',
      paused: 'Em pausa',
      deactivated: 'Desativado por falhar',
      disabled: 'Desativado',
    },
    lastAnswer: (answer, when) => `Última resposta ${when}: ${answer}.`,
    accepted: (done, all) => `Aceitou ${done} de ${all} tentativas nas últimas 24 horas.`,
    about: {
      active: 'Os eventos são enviados à medida que acontecem.',
      refusing:
        'Continuamos a tentar, mas nada chega enquanto a equipa responsável pelo endpoint não corrigir o problema.',
      failing: (since, off) =>
        `A falhar desde ${since}. O endpoint será desativado ${off}, a não ser que uma entrega seja aceite. Para manter o endpoint ativo, também pode alterar o URL ou escolher “Manter ativo”.`,
      unread: (since) =>
        `A fila não é lida desde ${since}, e há entregas à espera. Inicie o software que lê a fila.`,
      paused: (until) =>
        `Em pausa até ${until}. As entregas esperam e são enviadas depois. Retome o endpoint para as enviar já.`,
      deactivated:
        'O endpoint falhou durante 24 horas, por isso já não lhe enviamos eventos. Corrija o endpoint e ative-o. Depois pode reenviar os eventos em falta dos últimos 30 dias.',
      disabled:
        'Alguém na clínica desativou o endpoint, por isso os eventos não são enviados. Depois de ativar o endpoint, pode reenviar os eventos em falta dos últimos 30 dias.',
    },
    shown: {
      title: 'Segredo de assinatura',
      added: 'Endpoint adicionado. Faltam três passos.',
      copyIt: '1. Copie o segredo',
      text: 'Copie o segredo agora, porque não será mostrado de novo. O seu software usa o segredo para confirmar que um evento vem de nós.',
      use: '2. Adicione o segredo ao seu software',
      keep: 'Guarde o segredo como guarda uma palavra-passe, por exemplo numa variável de ambiente:',
      verifyText:
        'Use este código para verificar os eventos recebidos. O código não precisa de outros pacotes:',
      guide: 'Guia completo para receber webhooks',
      next: '3. Teste o endpoint',
      nextText:
        'Um evento de teste é assinado e enviado como qualquer outro evento. A resposta do endpoint aparece de imediato.',
      nextOfQueue:
        'Um evento de teste espera na fila até o seu software ler a fila. Para experimentar sem o seu software, inicie este programa no seu computador (o programa precisa do Node 20):',
      test: 'Enviar um evento de teste',
      done: 'Já copiei o segredo',
    },
  },
});
