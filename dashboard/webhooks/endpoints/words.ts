import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import { words } from '../../language/language.ts';
import type { UpdateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';

/** The fields of the form, without those for integrations. */
type Field = Exclude<keyof UpdateEndpoint['fields'], 'ignoreActors'>;

export const ENDPOINT_WORDS = words({
  en: {
    intro: 'We send the clinic’s events, for example a new appointment, to these addresses of your software.',
    heads: { endpoint: 'Endpoint', events: 'Events', state: 'Status', since: 'Added' },
    none: 'No endpoints yet. Add one so your software receives appointments and calls at once.',
    newEndpoint: 'New endpoint',
    form: {
      fields: {
        url: 'Endpoint URL',
        events: 'Events to send',
        description: 'Description',
      } satisfies Record<Field, string>,
      hints: {
        events: '“All events” includes event types we add later.',
        description: 'Only visible to you, for example the name of the system.',
      } satisfies Record<'events' | 'description', string>,
      wrong: {
        events: 'Choose at least one event.',
        description: 'Enter at most 500 characters.',
      } satisfies Record<'events' | 'description', string>,
    },
    eventsBeyond:
      'The API key that created this link has no permission for all of these events. Choose fewer, or ask the person who gave you the link.',
    single: 'Choose individual events (with examples)',
    sample: 'Example',
    create: 'Add endpoint',
    twin: 'Another endpoint already has this URL and these events. It would receive everything twice.',
    full: 'A clinic can have at most ten endpoints. First delete one that you no longer use.',
    states: {
      active: 'Active',
      failing: 'Failing',
      deactivated: 'Disabled after failing',
      disabled: 'Disabled',
    } satisfies Record<EndpointStatus, string>,
    /** Sentences about an endpoint that is not active. */
    about: {
      active: 'Events are sent as they happen.',
      failing: (since: string, off: string) =>
        `Failing since ${since}. It will be disabled ${off}, unless a delivery succeeds, the URL changes or you enable it.`,
      deactivated:
        'It failed for 24 hours, so we no longer send events to it. Events are kept. Fix the endpoint, enable it, then resend missed events.',
      disabled: 'Someone at the clinic disabled it, so no events are sent. Events are kept.',
    },
    shown: {
      title: 'Signing secret',
      /** For an endpoint that was just added. */
      added: 'Endpoint added. Three steps are left.',
      copyIt: '1. Copy the secret',
      text: 'Copy it now. You won’t be able to see it again. Your software uses it to check that an event comes from us.',
      use: '2. Add it to your software',
      keep: 'Store it like a password, for example as an environment variable:',
      verifyText: 'Code that verifies incoming events, without dependencies:',
      guide: 'Full guide to receiving webhooks',
      next: '3. Test it',
      nextText: 'A test event is signed and sent like any other. You see the endpoint’s response at once.',
      test: 'Send a test event',
      done: 'I have copied it',
    },
    copy: 'Copy',
  },
  pt: {
    intro: 'Enviamos os eventos da clínica, por exemplo uma nova marcação, para estes endereços.',
    heads: { endpoint: 'Endpoint', events: 'Eventos', state: 'Estado', since: 'Adicionado' },
    none: 'Ainda não há endpoints. Adicione um para que o seu software receba logo as marcações e as chamadas.',
    newEndpoint: 'Novo endpoint',
    form: {
      fields: { url: 'URL do endpoint', events: 'Eventos a enviar', description: 'Descrição' },
      hints: {
        events: '“Todos os eventos” inclui os tipos que criarmos mais tarde.',
        description: 'Só visível para si, por exemplo o nome do sistema.',
      },
      wrong: { events: 'Escolha pelo menos um evento.', description: 'Escreva no máximo 500 caracteres.' },
    },
    eventsBeyond:
      'A chave de API com que este link foi criado não tem permissão para todos estes eventos. Escolha menos eventos, ou fale com quem lhe deu o link.',
    single: 'Escolher eventos (com exemplos)',
    sample: 'Exemplo',
    create: 'Adicionar endpoint',
    twin: 'Outro endpoint já tem este URL e estes eventos. Receberia tudo duas vezes.',
    full: 'Uma clínica pode ter no máximo dez endpoints. Elimine primeiro um que já não use.',
    states: {
      active: 'Ativo',
      failing: 'A falhar',
      deactivated: 'Desativado por falhar',
      disabled: 'Desativado',
    },
    about: {
      active: 'Os eventos são enviados à medida que acontecem.',
      failing: (since, off) =>
        `A falhar desde ${since}. Será desativado ${off}, a não ser que uma entrega seja aceite, mude o URL ou ative o endpoint.`,
      deactivated:
        'Falhou durante 24 horas, por isso já não lhe enviamos eventos. Os eventos ficam guardados. Corrija e ative o endpoint e depois reenvie os eventos em falta.',
      disabled:
        'Alguém na clínica desativou o endpoint, por isso os eventos não são enviados. Ficam guardados.',
    },
    shown: {
      title: 'Segredo de assinatura',
      added: 'Endpoint adicionado. Faltam três passos.',
      copyIt: '1. Copie o segredo',
      text: 'Copie-o agora. Não o poderá ver de novo. O seu software usa-o para confirmar que um evento vem de nós.',
      use: '2. Adicione-o ao seu software',
      keep: 'Guarde-o como uma palavra-passe, por exemplo numa variável de ambiente:',
      verifyText: 'Código que verifica os eventos recebidos, sem dependências:',
      guide: 'Guia completo para receber webhooks',
      next: '3. Teste',
      nextText:
        'Um evento de teste é assinado e enviado como qualquer outro. A resposta do endpoint aparece logo.',
      test: 'Enviar um evento de teste',
      done: 'Já o copiei',
    },
    copy: 'Copiar',
  },
});
