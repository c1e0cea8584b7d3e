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
        text: 'View and change appointments, professionals, services and webhook endpoints. View settings, calls and recordings. No access to API keys.',
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
    created: 'Created',
    endsWith: { label: 'Expires together with', text: 'the key that created it' },
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
      text: 'The key stops working immediately. So do the key that replaced it, and all API keys and integration partner links that either of them created. This can’t be undone.',
      textOfEnded:
        'This key has expired, but keys that replaced it or were created with it still work. You can revoke them here. This can’t be undone.',
      also: {
        title: 'These will stop working too:',
        portalLinks: (count: number) => (count === 1 ? '1 partner link' : `${count} partner links`),
        portalSessions: (count: number) => (count === 1 ? '1 partner session' : `${count} partner sessions`),
      },
      button: 'Revoke key',
      confirm: {
        question: 'Revoke this key? Software that uses it stops working immediately.',
        keep: 'Keep key',
      },
      several: {
        button: 'Revoke all',
        confirm: {
          question:
            'Revoke this key and the other keys listed? Software that uses them stops working immediately.',
          keep: 'Keep all',
        },
      },
      alone: {
        title: 'Revoke only the old key',
        text: 'Choose this after a normal rotation, when every system uses the new key. The new key and the keys created with it keep working. If the old key may have been stolen, revoke all of them instead.',
        button: 'Revoke old key',
        confirm: { question: 'Revoke the old key and keep the new one?', keep: 'Keep both keys' },
      },
    },
  },
  pt: {
    intro: {
      live: 'Uma chave de API dá a uma integração, por exemplo o software da clínica, acesso aos dados desta clínica. Crie uma chave para cada sistema.',
      test: 'Uma chave de API dá a uma integração acesso aos dados desta clínica. Este é um ambiente de testes: as chaves criadas aqui não funcionam no sistema real.',
    },
    heads: { name: 'Nome', key: 'Chave', may: 'Permissões', lastUsed: 'Última utilização', state: 'Estado' },
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
        text: 'Ver e alterar marcações, profissionais, serviços e endpoints de webhook. Ver definições, chamadas e gravações. Sem acesso às chaves de API.',
      },
      reporting: { title: 'Relatórios', text: 'Ver tudo, não alterar nada.' },
      everything: {
        title: 'Acesso total',
        text: 'Ver e alterar tudo, incluindo criar chaves de API. Só para integrações da sua inteira confiança.',
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
      text: 'Copie a chave agora, porque não será mostrada de novo. Guarde a chave num local seguro.',
      try: 'Experimente:',
      done: 'Já copiei a chave',
    },
    created: 'Criada',
    endsWith: { label: 'Expira ao mesmo tempo que', text: 'a chave com que foi criada' },
    replaces: { label: 'Substitui', text: 'a chave anterior' },
    scopes: 'Permissões',
    roll: {
      title: 'Substituir a chave',
      text: 'Recebe uma nova chave com as mesmas permissões. A chave antiga continua a funcionar durante algum tempo, para que nada pare durante a troca. As chaves criadas com a chave antiga expiram ao mesmo tempo.',
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
      text: 'A chave deixa de funcionar de imediato. Também deixam de funcionar a chave que substituiu esta e todas as chaves de API e links de acesso criados com uma dessas chaves. Não é possível anular esta ação.',
      textOfEnded:
        'Esta chave expirou, mas ainda funcionam chaves que substituíram esta ou que foram criadas com ela. Pode revogar aqui essas chaves. Não é possível anular esta ação.',
      also: {
        title: 'Também vão deixar de funcionar:',
        portalLinks: (count) =>
          count === 1 ? '1 link de acesso de um parceiro' : `${count} links de acesso de parceiros`,
        portalSessions: (count) =>
          count === 1 ? '1 sessão de um parceiro' : `${count} sessões de parceiros`,
      },
      button: 'Revogar a chave',
      confirm: {
        question: 'Revogar esta chave? O software que a usa deixa de funcionar de imediato.',
        keep: 'Manter a chave',
      },
      several: {
        button: 'Revogar todas',
        confirm: {
          question:
            'Revogar esta chave e as outras chaves indicadas? O software que usa estas chaves deixa de funcionar de imediato.',
          keep: 'Manter todas',
        },
      },
      alone: {
        title: 'Revogar só a chave antiga',
        text: 'Escolha esta opção depois de uma substituição normal, quando todos os sistemas já usarem a nova chave. A nova chave e as chaves criadas com ela continuam a funcionar. Se suspeitar de que a chave antiga foi roubada, revogue antes todas as chaves.',
        button: 'Revogar a chave antiga',
        confirm: { question: 'Revogar a chave antiga e manter a nova chave?', keep: 'Manter as duas chaves' },
      },
    },
  },
});
