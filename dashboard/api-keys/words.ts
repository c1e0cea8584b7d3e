import type { ServiceMode } from '../../domain/service-mode.ts';
import type { PRESETS } from '../../domain/clinic/api-scopes.ts';
import { words } from '../language/language.ts';

type Preset = (typeof PRESETS)[number];

/** Seconds for which a key that was rolled goes on. */
export const KEY_OVERLAPS = ['0', '3600', '86400', '604800'] as const;
type KeyOverlap = (typeof KEY_OVERLAPS)[number];

export const KEY_WORDS = words({
  en: {
    intro: {
      live: 'A key lets a program, such as your practice management system, work with this clinic. Give each program its own.',
      test: 'A key lets a program work with this clinic. This is a sandbox: its keys do not work with the live service.',
    } satisfies Record<ServiceMode, string>,
    heads: { name: 'Name', key: 'Key', may: 'May', lastUsed: 'Last used', state: 'State' },
    none: 'There is no key yet. Make one for your practice management system.',
    next: 'Older keys',
    newKey: 'New key',
    name: 'What is it for?',
    nameHint: 'Such as the name of the program that will use it.',
    nameWrong: 'Write 1 to 200 characters.',
    may: 'What may it do?',
    presets: {
      pms: {
        title: 'Practice management',
        text: 'See and change appointments, professionals, services and webhook endpoints; see settings, calls and recordings. It cannot change settings or keys.',
      },
      reporting: { title: 'Reporting', text: 'See everything, change nothing.' },
      everything: {
        title: 'Everything',
        text: 'See and change everything, make further keys too. Only for a program that you trust as you trust yourself.',
      },
    } satisfies Record<Preset, { title: string; text: string }>,
    someScopes: 'Some scopes',
    lasts: 'How long is it to last?',
    lifetimes: { never: 'Until it is revoked', quarter: '90 days', year: 'A year' },
    create: 'Make the key',
    neverUsed: 'never',
    states: { active: 'Active', ends: 'Ends', ended: 'Ended', revoked: 'Revoked' },
    shown: {
      title: 'Your new key',
      text: 'Copy it now: it is shown this once. Keep it where only the program finds it.',
      try: 'Try it:',
      done: 'I have copied it',
    },
    copy: 'Copy',
    created: 'Made',
    endsWith: { label: 'Ends with', text: 'the key that made it' },
    replaces: { label: 'Replaces', text: 'the key that it was rolled from' },
    scopes: 'Scopes',
    roll: {
      title: 'Put a new key in its place',
      text: 'You get a new key with the same rights. The old one goes on for a while, so that nothing stands still meanwhile. Keys that were made with the old one end with it.',
      overlap: 'The old key goes on for',
      overlaps: { '0': 'no time', '3600': 'an hour', '86400': 'a day', '604800': 'a week' } satisfies Record<
        KeyOverlap,
        string
      >,
      button: 'Roll the key',
    },
    revoke: {
      title: 'Revoke',
      text: 'The key stops working at once, and so does everything that came from it: the key that replaced it, and the keys and portal links that these made. This cannot be undone.',
      textOfEnded:
        'This key has ended, but other keys that came from it still work. You can end them here. This cannot be undone.',
      also: {
        title: 'These end too:',
        portalLinks: (count: number) =>
          count === 1 ? '1 link to the webhook pages' : `${count} links to the webhook pages`,
        portalSessions: (count: number) =>
          count === 1 ? '1 open visit to the webhook pages' : `${count} open visits to the webhook pages`,
      },
      button: 'Revoke the key',
      confirm: 'Revoke this key? Programs that use it stop working at once.',
      several: {
        button: 'Revoke all of them',
        confirm:
          'Revoke this key and the other keys that are listed? Programs that use them stop working at once.',
      },
      alone: {
        title: 'Revoke the old key and keep the new one',
        text: 'Choose this after a normal change of keys, when every program has the new key. The key that replaced this one goes on working, with the keys that it made. If this key may have been stolen, revoke all of them instead.',
        button: 'Revoke the old key',
        confirm: 'Revoke the old key and keep the new one?',
      },
    },
  },
  pt: {
    intro: {
      live: 'Uma chave permite que um programa, como o seu software de gestão clínica, trabalhe com esta clínica. Dê a cada programa a sua.',
      test: 'Uma chave permite que um programa trabalhe com esta clínica. Este é um ambiente de testes: as chaves não funcionam no serviço real.',
    },
    heads: { name: 'Nome', key: 'Chave', may: 'Pode', lastUsed: 'Último uso', state: 'Estado' },
    none: 'Ainda não há chaves. Crie uma para o seu software de gestão clínica.',
    next: 'Chaves mais antigas',
    newKey: 'Nova chave',
    name: 'Para que serve?',
    nameHint: 'Por exemplo, o nome do programa que a vai usar.',
    nameWrong: 'Escreva entre 1 e 200 caracteres.',
    may: 'O que pode fazer?',
    presets: {
      pms: {
        title: 'Gestão clínica',
        text: 'Ver e alterar marcações, profissionais, serviços e endpoints de webhook; ver definições, chamadas e gravações. Não altera definições nem chaves.',
      },
      reporting: { title: 'Relatórios', text: 'Ver tudo, não alterar nada.' },
      everything: {
        title: 'Tudo',
        text: 'Ver e alterar tudo, incluindo criar chaves. Só para um programa em que confia como em si.',
      },
    },
    someScopes: 'Alguns âmbitos',
    lasts: 'Quanto tempo deve durar?',
    lifetimes: { never: 'Até ser revogada', quarter: '90 dias', year: 'Um ano' },
    create: 'Criar a chave',
    neverUsed: 'nunca',
    states: { active: 'Ativa', ends: 'Termina', ended: 'Terminada', revoked: 'Revogada' },
    shown: {
      title: 'A sua nova chave',
      text: 'Copie-a agora: só é mostrada esta vez. Guarde-a onde só o programa a encontre.',
      try: 'Experimente:',
      done: 'Já a copiei',
    },
    copy: 'Copiar',
    created: 'Criada',
    endsWith: { label: 'Termina com', text: 'a chave que a criou' },
    replaces: { label: 'Substitui', text: 'a chave a partir da qual foi criada' },
    scopes: 'Âmbitos',
    roll: {
      title: 'Substituir por uma nova chave',
      text: 'Recebe uma nova chave com os mesmos direitos. A antiga continua algum tempo, para que nada pare entretanto. As chaves criadas com a antiga terminam com ela.',
      overlap: 'A chave antiga continua durante',
      overlaps: { '0': 'tempo nenhum', '3600': 'uma hora', '86400': 'um dia', '604800': 'uma semana' },
      button: 'Substituir a chave',
    },
    revoke: {
      title: 'Revogar',
      text: 'A chave deixa de funcionar de imediato, tal como tudo o que veio dela: a chave que a substituiu e as chaves e ligações do portal que estas criaram. Não se pode desfazer.',
      textOfEnded:
        'Esta chave terminou, mas outras chaves que vieram dela ainda funcionam. Pode terminá-las aqui. Não se pode desfazer.',
      also: {
        title: 'Também terminam:',
        portalLinks: (count) =>
          count === 1 ? '1 ligação às páginas de webhooks' : `${count} ligações às páginas de webhooks`,
        portalSessions: (count) =>
          count === 1
            ? '1 visita aberta às páginas de webhooks'
            : `${count} visitas abertas às páginas de webhooks`,
      },
      button: 'Revogar a chave',
      confirm: 'Revogar esta chave? Os programas que a usam deixam de funcionar de imediato.',
      several: {
        button: 'Revogar todas',
        confirm:
          'Revogar esta chave e as outras chaves indicadas? Os programas que as usam deixam de funcionar de imediato.',
      },
      alone: {
        title: 'Revogar a chave antiga e manter a nova',
        text: 'Escolha esta opção depois de uma substituição normal, quando todos os programas já têm a nova chave. A chave que substituiu esta continua a funcionar, com as chaves que criou. Se esta chave pode ter sido roubada, revogue antes todas.',
        button: 'Revogar a chave antiga',
        confirm: 'Revogar a chave antiga e manter a nova?',
      },
    },
  },
});
