import { words } from '../../language/language.ts';

/** The hours of a pause that the page offers. */
export const PAUSE_HOURS = ['1', '8', '24', '72', '168'] as const;
type PauseHours = (typeof PAUSE_HOURS)[number];

/** How long an old secret stays valid, in seconds. */
export const SECRET_OVERLAPS = ['0', '3600', '86400'] as const;
type SecretOverlap = (typeof SECRET_OVERLAPS)[number];

export const DETAIL_WORDS = words({
  en: {
    /** For an active endpoint. */
    heldUp: (waiting: string) =>
      `Some events are not being delivered. Deliveries waiting to be retried: ${waiting}. We retry automatically.`,
    settings: 'Settings',
    url: 'URL',
    lastFailure: 'Last error',
    look: 'View delivery',
    missed: (count: string) => `Missed events (${count})`,
    missedText:
      'Events of the last 30 days that were not delivered, because the endpoint was disabled or all attempts failed. They are resent in the order in which they happened.',
    sendMissed: (count: string) => `Resend missed events (${count})`,
    enableAndSend: (count: string) => `Enable and resend missed events (${count})`,
    enable: {
      failing: {
        button: 'Keep enabled',
        text: 'If the endpoint works again, choose “Keep enabled” so that it isn’t disabled.',
      },
      off: { button: 'Enable', text: 'New events will be sent again from now on.' },
    },
    all: 'All deliveries to this endpoint',
    test: {
      title: 'Send a test event',
      text: 'A test event is signed like any other event, but sent only once. It doesn’t affect the endpoint’s status.',
      type: 'Event type',
      plain: 'Ping',
      button: 'Send test event',
    },
    edit: 'Edit',
    save: 'Save',
    editText:
      'A new URL also applies to waiting deliveries. If the endpoint is failing, it becomes active again. A URL with another host removes your own headers.',
    secret: {
      title: 'Signing secret',
      text: 'Rotate the secret when someone leaves the team, or when the secret may have leaked. For a while every delivery is signed with both secrets, so that you have time to update the receiver.',
      old: (ends: string, at: string) =>
        `An old secret expires ${ends} (${at}). Until then deliveries are also signed with it.`,
      overlap: 'Old secret expires',
      overlaps: {
        '86400': 'in a day',
        '3600': 'in an hour',
        '0': 'immediately (it was compromised)',
      } satisfies Record<SecretOverlap, string> satisfies Record<SecretOverlap, string>,
      button: 'Rotate secret',
      confirm: {
        question: 'Rotate the secret? Update the receiver before the old secret expires.',
        keep: 'Keep secret',
      },
    },
    headers: 'Your own headers',
    ownHeaders: {
      title: 'Your own headers',
      text: 'These headers are sent with every delivery. A header can contain, for example, the password of a gateway in front of your software. The values are stored encrypted and never shown again.',
      field: 'Headers, one per line',
      hint: 'For example X-Gateway-Key: a-long-password',
      replaces: (names: string) => `Saving replaces ${names}. Leave the field empty to remove them.`,
      wrong:
        'Write one header per line as Name: value, at most ten, each value up to 1,000 characters, without accents. Content-Type, Host and other headers that we set ourselves are not allowed.',
      button: 'Save headers',
    },
    pause: {
      title: 'Pause',
      text: 'For maintenance: deliveries wait without attempts, and are sent when the pause ends. The endpoint does not count as failing meanwhile.',
      hours: 'Pause for',
      lengths: {
        '1': '1 hour',
        '8': '8 hours',
        '24': '24 hours',
        '72': '3 days',
        '168': '7 days',
      } satisfies Record<PauseHours, string>,
      button: 'Pause',
      resume: 'Resume',
    },
    off: {
      title: 'Disable',
      text: 'No events are sent until you enable the endpoint again. You can then resend the missed events of the last 30 days. Deliveries in progress end as “Not sent”.',
      button: 'Disable',
      confirm: {
        question: 'Disable this endpoint? Your software receives no events until you enable it again.',
        keep: 'Keep enabled',
      },
    },
    remove: {
      title: 'Delete',
      text: 'This permanently deletes the endpoint and its secrets. Past deliveries stay in the log.',
      sure: 'Yes, delete this endpoint',
      button: 'Delete endpoint',
      wrong: 'Tick the box to confirm.',
    },
  },
  pt: {
    heldUp: (waiting) =>
      `Alguns eventos não estão a ser entregues. Entregas à espera de nova tentativa: ${waiting}. Tentamos de novo automaticamente.`,
    settings: 'Definições',
    url: 'URL',
    lastFailure: 'Último erro',
    look: 'Ver a entrega',
    missed: (count) => `Eventos em falta (${count})`,
    missedText:
      'Eventos dos últimos 30 dias que não foram entregues, porque o endpoint estava desativado ou todas as tentativas falharam. São reenviados pela ordem em que aconteceram.',
    sendMissed: (count) => `Reenviar os eventos em falta (${count})`,
    enableAndSend: (count) => `Ativar e reenviar os eventos em falta (${count})`,
    enable: {
      failing: {
        button: 'Manter ativo',
        text: 'Se o endpoint já funciona, escolha “Manter ativo” para que não seja desativado.',
      },
      off: { button: 'Ativar', text: 'Os novos eventos voltam a ser enviados a partir de agora.' },
    },
    all: 'Todas as entregas a este endpoint',
    test: {
      title: 'Enviar um evento de teste',
      text: 'Um evento de teste é assinado como qualquer outro evento, mas só é enviado uma vez e não afeta o estado do endpoint.',
      type: 'Tipo de evento',
      plain: 'Ping',
      button: 'Enviar evento de teste',
    },
    edit: 'Alterar',
    save: 'Guardar',
    editText:
      'Um novo URL também se aplica às entregas à espera. Se o endpoint estiver a falhar, volta a ficar ativo. Um URL com outro servidor remove os cabeçalhos próprios.',
    secret: {
      title: 'Segredo de assinatura',
      text: 'Substitua o segredo quando alguém sair da equipa ou se suspeitar de que foi divulgado. Durante algum tempo, cada entrega é assinada com ambos os segredos, para que tenha tempo de atualizar o recetor.',
      old: (ends, at) =>
        `Um segredo antigo expira ${ends} (${at}). Até lá, as entregas também são assinadas com esse segredo.`,
      overlap: 'O segredo antigo expira',
      overlaps: {
        '86400': 'dentro de um dia',
        '3600': 'dentro de uma hora',
        '0': 'de imediato (foi comprometido)',
      },
      button: 'Substituir o segredo',
      confirm: {
        question: 'Substituir o segredo? Atualize o recetor antes de o segredo antigo expirar.',
        keep: 'Manter o segredo',
      },
    },
    headers: 'Cabeçalhos próprios',
    ownHeaders: {
      title: 'Cabeçalhos próprios',
      text: 'Estes cabeçalhos são enviados com cada entrega. Podem conter, por exemplo, a palavra-passe de um gateway à frente do seu software. Os valores são guardados cifrados e não voltam a ser mostrados.',
      field: 'Cabeçalhos, um por linha',
      hint: 'Por exemplo X-Gateway-Key: uma-palavra-passe-longa',
      replaces: (names) =>
        `Os novos cabeçalhos substituem ${names}. Para remover ${names}, deixe o campo vazio.`,
      wrong:
        'Escreva um cabeçalho por linha, como Nome: valor, no máximo dez, cada valor com até 1000 caracteres, sem acentos. Content-Type, Host e outros cabeçalhos definidos por nós não são permitidos.',
      button: 'Guardar os cabeçalhos',
    },
    pause: {
      title: 'Pausa',
      text: 'Para manutenção: as entregas esperam sem tentativas e são enviadas quando a pausa terminar. Durante a pausa, o endpoint não conta como “A falhar”.',
      hours: 'Pausar durante',
      lengths: { '1': '1 hora', '8': '8 horas', '24': '24 horas', '72': '3 dias', '168': '7 dias' },
      button: 'Pausar',
      resume: 'Retomar',
    },
    off: {
      title: 'Desativar',
      text: 'Não são enviados eventos até voltar a ativar o endpoint. Depois pode reenviar os eventos em falta dos últimos 30 dias. As entregas em curso terminam como “Não enviada”.',
      button: 'Desativar',
      confirm: {
        question:
          'Desativar este endpoint? O seu software deixa de receber eventos até voltar a ativar o endpoint.',
        keep: 'Manter ativo',
      },
    },
    remove: {
      title: 'Eliminar',
      text: 'Elimina definitivamente o endpoint e os respetivos segredos. As entregas passadas continuam no registo.',
      sure: 'Sim, eliminar este endpoint',
      button: 'Eliminar o endpoint',
      wrong: 'Assinale a caixa para confirmar.',
    },
  },
});
