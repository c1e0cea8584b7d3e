import { words } from '../../language/language.ts';

/** Seconds for which an old secret goes on. */
export const SECRET_OVERLAPS = ['0', '3600', '86400'] as const;
type SecretOverlap = (typeof SECRET_OVERLAPS)[number];

export const DETAIL_WORDS = words({
  en: {
    /** Of an active endpoint. */
    heldUp: (waiting: string) =>
      `Events are sent there, but not all arrive. Waiting for another attempt, which we make by ourselves: ${waiting}.`,
    settings: 'Settings',
    url: 'URL',
    lastFailure: 'Last failure',
    look: 'Look at the delivery',
    missed: (count: string) => `${count} missed`,
    missedText:
      'Events of the last 30 days that did not arrive, because the endpoint was off or all attempts failed. They are sent again in the order in which they happened.',
    sendMissed: (count: string) => `Send what was missed (${count})`,
    enableAndSend: (count: string) => `Enable and send what was missed (${count})`,
    enable: 'Enable',
    enableText: {
      failing: 'The receiver works again? Then it need not be switched off.',
      off: 'From then on events are sent there again as they happen.',
    },
    retryAll: (count: string) => `Retry all that wait now (${count})`,
    retryText:
      'Makes the next attempt of everything that waits due now, the oldest first. Each delivery uses one of its attempts.',
    lastAttempts: (count: string) =>
      `Last attempt of these deliveries: ${count}. What fails then is given up; you can resend it.`,
    all: 'All deliveries to this endpoint',
    test: {
      title: 'Send a test event',
      text: 'It is signed and sent like any other event, once, and does not count for the state of the endpoint.',
      type: 'With the example of',
      plain: 'nothing, only a greeting',
      button: 'Send it',
    },
    edit: 'Change',
    save: 'Save',
    editText: 'A new URL goes for what waits, too, and ends the failing of an endpoint.',
    secret: {
      title: 'The signing secret',
      text: 'Make a new one when somebody leaves or the old one may have leaked. For a while every delivery is signed with both, so the receiver can change when it suits.',
      old: (ends: string, at: string) =>
        `An old secret ends ${ends} (${at}). Until then deliveries are signed with it, too.`,
      overlap: 'The old secret goes on for',
      overlaps: { '86400': 'a day', '3600': 'an hour', '0': 'no time: it has leaked' } satisfies Record<
        SecretOverlap,
        string
      >,
      button: 'Make a new secret',
      confirm: 'Make a new secret? The receiver must get to know it before the old one ends.',
    },
    off: {
      title: 'Switch off',
      text: 'Nothing is sent until you enable it again. Events are kept meanwhile; deliveries under way end unsent.',
      button: 'Switch off',
      confirm: 'Switch this endpoint off? Your program will not learn of events until you enable it again.',
    },
    remove: {
      title: 'Delete',
      text: 'The endpoint and its secrets go for good; what was delivered stays in the list of deliveries.',
      sure: 'Yes, delete this endpoint',
      button: 'Delete the endpoint',
      wrong: 'Tick the box first, to say that you are sure.',
    },
  },
  pt: {
    heldUp: (waiting) =>
      `Os eventos são enviados para lá, mas nem todos chegam. À espera de nova tentativa, que fazemos sem que precise de pedir: ${waiting}.`,
    settings: 'Definições',
    url: 'URL',
    lastFailure: 'Última falha',
    look: 'Ver a entrega',
    missed: (count) => `${count} em falta`,
    missedText:
      'Eventos dos últimos 30 dias que não chegaram, porque o endpoint estava desligado ou todas as tentativas falharam. São reenviados pela ordem em que aconteceram.',
    sendMissed: (count) => `Enviar o que faltou (${count})`,
    enableAndSend: (count) => `Ligar e enviar o que faltou (${count})`,
    enable: 'Ligar',
    enableText: {
      failing: 'O recetor já funciona? Então não precisa de ser desligado.',
      off: 'A partir daí os eventos voltam a ser enviados à medida que acontecem.',
    },
    retryAll: (count) => `Tentar já tudo o que espera (${count})`,
    retryText:
      'Antecipa a próxima tentativa de tudo o que espera, começando pelo mais antigo. Cada entrega usa uma das suas tentativas.',
    lastAttempts: (count) =>
      `Entregas que usam a última tentativa: ${count}. Do que falhar desiste-se; pode reenviá-lo.`,
    all: 'Todas as entregas a este endpoint',
    test: {
      title: 'Enviar um evento de teste',
      text: 'É assinado e enviado como qualquer outro evento, uma vez, e não conta para o estado do endpoint.',
      type: 'Com o exemplo de',
      plain: 'nada, só uma saudação',
      button: 'Enviar',
    },
    edit: 'Alterar',
    save: 'Guardar',
    editText: 'Um novo URL vale também para o que espera e termina a falha de um endpoint.',
    secret: {
      title: 'O segredo de assinatura',
      text: 'Crie um novo quando alguém sair ou o antigo possa ter sido divulgado. Durante algum tempo cada entrega é assinada com ambos, para que o recetor mude quando convier.',
      old: (ends, at) =>
        `Um segredo antigo termina ${ends} (${at}). Até lá as entregas também são assinadas com ele.`,
      overlap: 'O segredo antigo continua durante',
      overlaps: { '86400': 'um dia', '3600': 'uma hora', '0': 'tempo nenhum: foi divulgado' },
      button: 'Criar um novo segredo',
      confirm: 'Criar um novo segredo? O recetor tem de o conhecer antes de o antigo terminar.',
    },
    off: {
      title: 'Desligar',
      text: 'Nada é enviado até o voltar a ligar. Entretanto os eventos ficam guardados; as entregas em curso terminam sem envio.',
      button: 'Desligar',
      confirm: 'Desligar este endpoint? O seu programa não saberá dos eventos até o voltar a ligar.',
    },
    remove: {
      title: 'Eliminar',
      text: 'O endpoint e os seus segredos desaparecem de vez; o que foi entregue fica na lista de entregas.',
      sure: 'Sim, eliminar este endpoint',
      button: 'Eliminar o endpoint',
      wrong: 'Marque primeiro a caixa, para dizer que tem a certeza.',
    },
  },
});
