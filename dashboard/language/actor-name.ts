import { isolated } from '../../domain/text/isolated-text.ts';
import { type Language, words } from './language.ts';

const ACTOR_WORDS = words({
  en: {
    service: 'The service',
    operator: 'Our technical team',
    portal: 'Your integration partner',
    patient: 'The patient',
    key: 'API key',
    gone: 'A former user',
    provider: 'The sign-in service',
  },
  pt: {
    service: 'O serviço',
    operator: 'A nossa equipa técnica',
    portal: 'O seu parceiro de integração',
    patient: 'O paciente',
    key: 'Chave de API',
    gone: 'Um antigo utilizador',
    provider: 'O serviço de início de sessão',
  },
});

/** An actor's name for people. @param names by actor */
export function actorName(
  actor: string | null,
  names: ReadonlyMap<string, string>,
  language: Language,
): string {
  const words = ACTOR_WORDS[language];
  const [kind] = (actor ?? 'workflow').split(':');
  const name = names.get(actor ?? '');
  if (kind === 'key') return name === undefined ? words.key : `${words.key} “${isolated(name)}”`;
  if (kind === 'person') return name ?? words.gone;
  if (kind === 'operator') return words.operator;
  if (kind === 'patient') return words.patient;
  if (kind === 'identity_provider') return words.provider;
  return kind === 'portal' ? words.portal : words.service;
}
