import type { ServiceMode } from '../../domain/service-mode.ts';
import type { PRESETS } from '../../domain/clinic/api-scopes.ts';
import { words } from '../language/language.ts';

type Preset = (typeof PRESETS)[number];

/** How long a rolled key stays valid, in seconds. */
export const KEY_OVERLAPS = ['0', '3600', '86400', '604800'] as const;
type KeyOverlap = (typeof KEY_OVERLAPS)[number];

export const KEY_WORDS = words({
  en: {
    intro: {
      live: 'An API key lets software, for example your practice software, work with this clinic. Create one key for each system.',
      test: 'An API key lets software work with this clinic. This is a sandbox: its keys don’t work with the live service.',
    } satisfies Record<ServiceMode, string>,
    heads: { name: 'Name', key: 'Key', may: 'Permissions', lastUsed: 'Last used', state: 'Status' },
    none: 'No API keys yet. Create one for your practice software.',
    next: 'Older keys',
    newKey: 'New key',
    name: 'Name',
    nameHint: 'For example “Dentrix sync”.',
    nameWrong: 'Enter a name of 1 to 200 characters.',
    may: 'Permissions',
    presets: {
      pms: {
        title: 'Practice software',
        text: 'View and change appointments, professionals, services and webhook endpoints. View settings, calls and recordings. No access to keys.',
      },
      reporting: { title: 'Reporting', text: 'View everything, change nothing.' },
      everything: {
        title: 'Full access',
        text: 'View and change everything, including creating keys. Use only for software you fully trust.',
      },
    } satisfies Record<Preset, { title: string; text: string }>,
    someScopes: 'Individual permissions',
    lasts: 'Expires',
    lifetimes: { never: 'Never', quarter: 'In 90 days', year: 'In a year' },
    create: 'Create key',
    neverUsed: 'Never',
    states: { active: 'Active', ends: 'Expires', ended: 'Expired', revoked: 'Revoked' },
    shown: {
      title: 'Your new key',
      text: 'Copy it now. You won’t be able to see it again. Store it securely.',
      try: 'Try it:',
      done: 'I have copied it',
    },
    copy: 'Copy',
    created: 'Created',
    endsWith: { label: 'Expires with', text: 'the key that created it' },
    replaces: { label: 'Replaces', text: 'the key that it was rotated from' },
    scopes: 'Permissions',
    roll: {
      title: 'Rotate key',
      text: 'You get a new key with the same permissions. The old key keeps working for a while, so nothing stops during the switch. Keys created with the old key expire with it.',
      overlap: 'Old key expires',
      overlaps: {
        '0': 'immediately',
        '3600': 'in an hour',
        '86400': 'in a day',
        '604800': 'in a week',
      } satisfies Record<KeyOverlap, string> satisfies Record<KeyOverlap, string>,
      button: 'Rotate key',
    },
    revoke: {
      title: 'Revoke',
      text: 'The key stops working immediately, with everything that came from it: the key that replaced it, and the keys and portal links that these created. This can’t be undone.',
      textOfEnded:
        'This key has expired, but other keys that came from it still work. You can revoke them here. This can’t be undone.',
      also: {
        title: 'These stop working too:',
        portalLinks: (count: number) => (count === 1 ? '1 portal link' : `${count} portal links`),
        portalSessions: (count: number) => (count === 1 ? '1 portal session' : `${count} portal sessions`),
      },
      button: 'Revoke key',
      confirm: 'Revoke this key? Software that uses it stops working immediately.',
      several: {
        button: 'Revoke all',
        confirm:
          'Revoke this key and the other keys listed? Software that uses them stops working immediately.',
      },
      alone: {
        title: 'Revoke only the old key',
        text: 'Choose this after a normal rotation, when every system uses the new key. The new key keeps working, with the keys that it created. If this key may have been stolen, revoke all of them instead.',
        button: 'Revoke old key',
        confirm: 'Revoke the old key and keep the new one?',
      },
    },
  },
  pt: {
    intro: {
      live: 'Uma chave de API dá a um programa, por exemplo o software da clínica, acesso aos dados desta clínica. Crie uma chave para cada sistema.',
      test: 'Uma chave de API dá a um programa acesso aos dados desta clínica. Este é um ambiente de testes: as chaves não funcionam no sistema real.',
    },
    heads: { name: 'Nome', key: 'Chave', may: 'Permissões', lastUsed: 'Último uso', state: 'Estado' },
    none: 'Ainda não há chaves de API. Crie uma para o software da clínica.',
    next: 'Chaves mais antigas',
    newKey: 'Nova chave',
    name: 'Nome',
    nameHint: 'Por exemplo, “Sincronização Dentrix”.',
    nameWrong: 'Escreva um nome com 1 a 200 caracteres.',
    may: 'Permissões',
    presets: {
      pms: {
        title: 'Software da clínica',
        text: 'Ver e alterar marcações, profissionais, serviços e endpoints de webhook. Ver definições, chamadas e gravações. Sem acesso às chaves.',
      },
      reporting: { title: 'Relatórios', text: 'Ver tudo, não alterar nada.' },
      everything: {
        title: 'Acesso total',
        text: 'Ver e alterar tudo, incluindo criar chaves. Só para programas da sua inteira confiança.',
      },
    },
    someScopes: 'Permissões individuais',
    lasts: 'Expira',
    lifetimes: { never: 'Nunca', quarter: 'Dentro de 90 dias', year: 'Dentro de um ano' },
    create: 'Criar a chave',
    neverUsed: 'Nunca',
    states: { active: 'Ativa', ends: 'Expira', ended: 'Expirada', revoked: 'Revogada' },
    shown: {
      title: 'A sua nova chave',
      text: 'Copie-a agora. Não a poderá ver de novo. Guarde-a em segurança.',
      try: 'Experimente:',
      done: 'Já a copiei',
    },
    copy: 'Copiar',
    created: 'Criada',
    endsWith: { label: 'Expira com', text: 'a chave que a criou' },
    replaces: { label: 'Substitui', text: 'a chave que substituiu' },
    scopes: 'Permissões',
    roll: {
      title: 'Substituir a chave',
      text: 'Recebe uma nova chave com as mesmas permissões. A antiga continua a funcionar durante algum tempo, para que nada pare durante a troca. As chaves criadas com a antiga expiram com ela.',
      overlap: 'A chave antiga expira',
      overlaps: {
        '0': 'de imediato',
        '3600': 'dentro de uma hora',
        '86400': 'dentro de um dia',
        '604800': 'dentro de uma semana',
      },
      button: 'Substituir a chave',
    },
    revoke: {
      title: 'Revogar',
      text: 'A chave deixa de funcionar de imediato, com tudo o que veio dela: a chave que a substituiu e as chaves e os links do portal criados com elas. Não é possível anular.',
      textOfEnded:
        'Esta chave expirou, mas outras chaves que vieram dela ainda funcionam. Pode revogá-las aqui. Não é possível anular.',
      also: {
        title: 'Também deixam de funcionar:',
        portalLinks: (count) => (count === 1 ? '1 link do portal' : `${count} links do portal`),
        portalSessions: (count) => (count === 1 ? '1 sessão do portal' : `${count} sessões do portal`),
      },
      button: 'Revogar a chave',
      confirm: 'Revogar esta chave? O software que a usa deixa de funcionar de imediato.',
      several: {
        button: 'Revogar todas',
        confirm:
          'Revogar esta chave e as outras indicadas? O software que as usa deixa de funcionar de imediato.',
      },
      alone: {
        title: 'Revogar só a chave antiga',
        text: 'Escolha esta opção depois de uma substituição normal, quando todos os sistemas já usam a nova chave. A nova continua a funcionar, com as chaves que criou. Se suspeitar de que esta chave foi roubada, revogue todas.',
        button: 'Revogar a chave antiga',
        confirm: 'Revogar a chave antiga e manter a nova?',
      },
    },
  },
});
