import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import type { NameOf } from '../../edits/form-fields.ts';
import { words } from '../../language/language.ts';
import type { ShownOfEndpoint } from './endpoint-fields.ts';

type Field = NameOf<ShownOfEndpoint>;

export const ENDPOINT_WORDS = words({
  en: {
    intro:
      'An endpoint is an address of your program to which events of the clinic are sent, such as a new appointment.',
    heads: { endpoint: 'Endpoint', events: 'Events', state: 'State', since: 'Added' },
    none: 'There is no endpoint yet. Add one to let your program know of appointments and calls at once.',
    newEndpoint: 'New endpoint',
    form: {
      fields: {
        url: 'URL of the receiver',
        events: 'Which events?',
        description: 'Description',
      } satisfies Record<Field, string>,
      hints: {
        events: '“All events” includes those that are added later.',
        description: 'For your own eyes, such as the name of the program.',
      } satisfies Record<'events' | 'description', string>,
      wrong: {
        events: 'Choose at least one event.',
        description: 'Write at most 500 characters.',
      } satisfies Record<'events' | 'description', string>,
    },
    eventsBeyond:
      'The key that made this link may not read all of these events. Choose fewer, or ask whoever gave you the link.',
    single: 'Only some of them, and what they look like',
    sample: 'Sample',
    create: 'Add the endpoint',
    twin: 'Another endpoint has this URL and these events already: it would be told everything twice.',
    full: 'A clinic may have at most ten endpoints. Delete one that you no longer use first.',
    states: {
      active: 'Active',
      failing: 'Failing',
      deactivated: 'Switched off after failing',
      disabled: 'Switched off',
    } satisfies Record<EndpointStatus, string>,
    /** Whole sentences about an endpoint that is not simply active. */
    about: {
      active: 'Events are sent there as they happen.',
      failing: (since: string, off: string) =>
        `Failing since ${since}, switched off ${off} unless a delivery succeeds, the URL changes or you enable it.`,
      deactivated:
        'It kept failing for 24 hours, so nothing is sent there now. Events are kept: once the receiver works, enable it and send what was missed.',
      disabled:
        'Somebody at the clinic switched it off, so nothing is sent there. Events are kept meanwhile.',
    },
    shown: {
      title: 'The signing secret',
      /** Of an endpoint that was added just now. */
      added: 'The endpoint is added. Three steps are left.',
      copyIt: '1. Copy the secret',
      text: 'Copy it now: it is shown this once. Your program needs it to know that an event comes from us.',
      use: '2. Put it into your program',
      keep: 'Keep it like a password, for example as a variable of the program:',
      verifyText: 'Code that verifies with it what arrives; it needs no package:',
      guide: 'The whole guide to receiving webhooks',
      next: '3. Try it',
      nextText:
        'A test event is signed and sent like any other, and shows at once what your receiver answers.',
      test: 'Send a test event',
      done: 'I have copied it',
    },
    copy: 'Copy',
  },
  pt: {
    intro:
      'Um endpoint é um endereço do seu programa para onde são enviados eventos da clínica, como uma nova marcação.',
    heads: { endpoint: 'Endpoint', events: 'Eventos', state: 'Estado', since: 'Adicionado' },
    none: 'Ainda não há endpoints. Adicione um para que o seu programa saiba logo das marcações e chamadas.',
    newEndpoint: 'Novo endpoint',
    form: {
      fields: { url: 'URL do recetor', events: 'Que eventos?', description: 'Descrição' },
      hints: {
        events: '“Todos os eventos” inclui os que forem criados mais tarde.',
        description: 'Só para si, por exemplo o nome do programa.',
      },
      wrong: { events: 'Escolha pelo menos um evento.', description: 'Escreva no máximo 500 caracteres.' },
    },
    eventsBeyond:
      'A chave que criou esta ligação não pode ler todos estes eventos. Escolha menos, ou fale com quem lhe deu a ligação.',
    single: 'Só alguns, e como são',
    sample: 'Exemplo',
    create: 'Adicionar o endpoint',
    twin: 'Outro endpoint já tem este URL e estes eventos: receberia tudo duas vezes.',
    full: 'Uma clínica pode ter no máximo dez endpoints. Elimine primeiro um que já não use.',
    states: {
      active: 'Ativo',
      failing: 'A falhar',
      deactivated: 'Desligado por falhar',
      disabled: 'Desligado',
    },
    about: {
      active: 'Os eventos são enviados para lá à medida que acontecem.',
      failing: (since, off) =>
        `A falhar desde ${since}; será desligado ${off}, a menos que uma entrega resulte, o URL mude ou o volte a ligar.`,
      deactivated:
        'Falhou durante 24 horas, por isso nada é enviado agora. Os eventos ficam guardados: quando o recetor funcionar, ligue-o e envie o que faltou.',
      disabled:
        'Alguém na clínica o desligou, por isso nada é enviado. Entretanto os eventos ficam guardados.',
    },
    shown: {
      title: 'O segredo de assinatura',
      added: 'O endpoint está adicionado. Faltam três passos.',
      copyIt: '1. Copie o segredo',
      text: 'Copie-o agora: só é mostrado esta vez. O seu programa precisa dele para saber que um evento vem de nós.',
      use: '2. Ponha-o no seu programa',
      keep: 'Guarde-o como uma palavra-passe, por exemplo como variável do programa:',
      verifyText: 'Código que verifica com ele o que chega, sem pacotes:',
      guide: 'O guia completo para receber webhooks',
      next: '3. Experimente',
      nextText:
        'Um evento de teste é assinado e enviado como os outros, e mostra logo o que o recetor responde.',
      test: 'Enviar um evento de teste',
      done: 'Já o copiei',
    },
    copy: 'Copiar',
  },
});
