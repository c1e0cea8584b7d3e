import { isolated } from '../../domain/text/isolated-text.ts';
import { type Language, words } from './language.ts';

const ACTOR_WORDS = words({
  en: {
    name: {
      service: 'The service',
      operator: 'Our technical team',
      portal: 'Your integration partner',
      patient: 'The patient',
      key: 'API key',
      ofKey: (name: string) => `API key “${name}”`,
      gone: 'A former user',
      person: (name: string) => name,
      provider: 'The sign-in service',
    },
    /** Follows what was done: “Cancelled by our technical team”. */
    by: {
      service: 'by the service',
      operator: 'by our technical team',
      portal: 'by your integration partner',
      patient: 'by the patient',
      key: 'by an API key',
      ofKey: (name: string) => `by API key “${name}”`,
      gone: 'by a former user',
      person: (name: string) => `by ${name}`,
      provider: 'by the sign-in service',
    },
  },
  pt: {
    name: {
      service: 'O sistema',
      operator: 'A nossa equipa técnica',
      portal: 'O seu parceiro de integração',
      patient: 'O paciente',
      key: 'Chave de API',
      ofKey: (name) => `Chave de API “${name}”`,
      gone: 'Um antigo utilizador',
      person: (name) => name,
      provider: 'O serviço de autenticação',
    },
    by: {
      service: 'pelo sistema',
      operator: 'pela nossa equipa técnica',
      portal: 'pelo seu parceiro de integração',
      patient: 'pelo paciente',
      key: 'por uma chave de API',
      ofKey: (name) => `pela chave de API “${name}”`,
      gone: 'por um antigo utilizador',
      person: (name) => `por ${name}`,
      provider: 'pelo serviço de autenticação',
    },
  },
});

type Names = ReadonlyMap<string, string>;

/** An actor's name for people. @param names by actor */
export function actorName(actor: string | null, names: Names, language: Language): string {
  return inWords(ACTOR_WORDS[language].name, actor, names);
}

/** An actor after what they did, such as “by Rita Lopes”. @param names by actor */
export function byActor(actor: string | null, names: Names, language: Language): string {
  return inWords(ACTOR_WORDS[language].by, actor, names);
}

function inWords(words: (typeof ACTOR_WORDS)['en']['name'], actor: string | null, names: Names): string {
  const [kind] = (actor ?? 'workflow').split(':');
  const name = names.get(actor ?? '');
  if (kind === 'key') return name === undefined ? words.key : words.ofKey(isolated(name));
  if (kind === 'person') return name === undefined ? words.gone : words.person(name);
  if (kind === 'operator') return words.operator;
  if (kind === 'patient') return words.patient;
  if (kind === 'identity_provider') return words.provider;
  return kind === 'portal' ? words.portal : words.service;
}
