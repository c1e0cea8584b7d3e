import { words } from '../../language/language.ts';

/** How long an old secret stays valid, in seconds. */
export const SECRET_OVERLAPS = ['0', '3600', '86400'] as const;
type SecretOverlap = (typeof SECRET_OVERLAPS)[number];

export const DETAIL_WORDS = words({
  en: {
    /** For an active endpoint. */
    heldUp: (waiting: string) =>
      `Not every event is being delivered. Deliveries waiting to be retried: ${waiting}. We retry automatically.`,
    settings: 'Settings',
    url: 'URL',
    lastFailure: 'Last error',
    look: 'View delivery',
    missed: (count: string) => `${count} missed`,
    missedText:
      'Events of the last 30 days that were not delivered, because the endpoint was disabled or all attempts failed. They are resent in the order in which they happened.',
    sendMissed: (count: string) => `Resend missed events (${count})`,
    enableAndSend: (count: string) => `Enable and resend missed events (${count})`,
    enable: 'Enable',
    enableText: {
      failing: 'Is the endpoint working again? Then keep it enabled.',
      off: 'Events that happen from now on are sent again.',
    },
    retryAll: (count: string) => `Retry all waiting deliveries now (${count})`,
    retryText:
      'Makes the next attempt of every waiting delivery now, oldest first. Each uses one of its remaining attempts.',
    lastAttempts: (count: string) =>
      `Deliveries on their last attempt: ${count}. If it fails, they fail; you can still resend them.`,
    all: 'All deliveries to this endpoint',
    test: {
      title: 'Send a test event',
      text: 'Signed and sent once, like any other event. Test events don’t affect the endpoint’s health.',
      type: 'Event type',
      plain: 'Ping',
      button: 'Send test event',
    },
    edit: 'Edit',
    save: 'Save',
    editText: 'A new URL also applies to waiting deliveries, and clears a failing status.',
    secret: {
      title: 'Signing secret',
      text: 'Rotate it when someone leaves the team or it may have leaked. For a while every delivery is signed with both secrets, so you have time to update the receiver.',
      old: (ends: string, at: string) =>
        `An old secret expires ${ends} (${at}). Until then deliveries are also signed with it.`,
      overlap: 'Old secret expires',
      overlaps: {
        '86400': 'in a day',
        '3600': 'in an hour',
        '0': 'immediately (it was compromised)',
      } satisfies Record<SecretOverlap, string> satisfies Record<SecretOverlap, string>,
      button: 'Rotate secret',
      confirm: 'Rotate the secret? Update the receiver before the old secret expires.',
    },
    off: {
      title: 'Disable',
      text: 'No events are sent until you enable the endpoint again. Events are kept; deliveries in progress end as “Not sent”.',
      button: 'Disable',
      confirm: 'Disable this endpoint? Your software receives no events until you enable it again.',
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
      `Nem todos os eventos estão a ser entregues. Entregas à espera de nova tentativa: ${waiting}. Repetimos automaticamente.`,
    settings: 'Definições',
    url: 'URL',
    lastFailure: 'Último erro',
    look: 'Ver a entrega',
    missed: (count) => `${count} em falta`,
    missedText:
      'Eventos dos últimos 30 dias que não foram entregues, porque o endpoint estava desativado ou todas as tentativas falharam. São reenviados pela ordem em que aconteceram.',
    sendMissed: (count) => `Reenviar os eventos em falta (${count})`,
    enableAndSend: (count) => `Ativar e reenviar os eventos em falta (${count})`,
    enable: 'Ativar',
    enableText: {
      failing: 'Se o endpoint já funciona, ative-o para não ser desativado.',
      off: 'Os eventos que acontecerem a partir de agora voltam a ser enviados.',
    },
    retryAll: (count) => `Tentar já todas as entregas à espera (${count})`,
    retryText:
      'Faz já a próxima tentativa de todas as entregas à espera, das mais antigas para as mais recentes. Cada uma usa uma das tentativas que lhe restam.',
    lastAttempts: (count) =>
      `Entregas na última tentativa: ${count}. Se falhar, a entrega falha; ainda a pode reenviar.`,
    all: 'Todas as entregas a este endpoint',
    test: {
      title: 'Enviar um evento de teste',
      text: 'É assinado e enviado uma vez, como qualquer outro evento. Os eventos de teste não afetam o estado do endpoint.',
      type: 'Tipo de evento',
      plain: 'Ping',
      button: 'Enviar evento de teste',
    },
    edit: 'Editar',
    save: 'Guardar',
    editText: 'Um novo URL também se aplica às entregas à espera e limpa o estado “A falhar”.',
    secret: {
      title: 'Segredo de assinatura',
      text: 'Substitua o segredo quando alguém sair da equipa ou se suspeitar de que foi divulgado. Durante algum tempo, cada entrega é assinada com ambos os segredos, para que tenha tempo de atualizar o recetor.',
      old: (ends, at) =>
        `Um segredo antigo expira ${ends} (${at}). Até lá as entregas também são assinadas com ele.`,
      overlap: 'Desativar o segredo antigo',
      overlaps: {
        '86400': 'dentro de um dia',
        '3600': 'dentro de uma hora',
        '0': 'de imediato (foi comprometido)',
      },
      button: 'Substituir o segredo',
      confirm: 'Substituir o segredo? Atualize o recetor antes de o antigo expirar.',
    },
    off: {
      title: 'Desativar',
      text: 'Não são enviados eventos até voltar a ativar o endpoint. Os eventos ficam guardados; as entregas em curso terminam como “Não enviada”.',
      button: 'Desativar',
      confirm:
        'Desativar este endpoint? O seu software deixa de receber eventos até voltar a ativar o endpoint.',
    },
    remove: {
      title: 'Eliminar',
      text: 'Elimina definitivamente o endpoint e os seus segredos. As entregas passadas continuam no registo.',
      sure: 'Sim, eliminar este endpoint',
      button: 'Eliminar o endpoint',
      wrong: 'Assinale a caixa para confirmar.',
    },
  },
});
