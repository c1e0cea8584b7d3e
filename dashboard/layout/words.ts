import type { Role } from '../../domain/people/roles.ts';
import { type Language, words, type Words } from '../language/language.ts';

/** What the navigation leads to. */
export type Section =
  | 'overview'
  | 'appointments'
  | 'blocks'
  | 'calls'
  | 'integrations'
  | 'keys'
  | 'endpoints'
  | 'deliveries'
  | 'notices'
  | 'requests'
  | 'settings'
  | 'clinic'
  | 'hours'
  | 'receptionist'
  | 'booking'
  | 'team'
  | 'services'
  | 'audit'
  | 'sessions'
  | 'reads'
  | 'search'
  | 'stuck'
  | 'givenUp';

export const FRAME_WORDS = words({
  en: {
    skip: 'Skip to the content',
    menu: 'Menu',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out on all devices',
    ownSessions: 'Where you are signed in',
    otherLanguage: 'Português',
    /** After a count of notices. */
    unread: 'unread',
    support: 'Support desk',
    /** In which times are. */
    zone: (zone: string) => `Times in ${zone}`,
    /** At the support desk. */
    zones: 'Times as the clinic has them',
    /** A list as a file. */
    csv: 'Download (CSV)',
    /** Guides are written in English. */
    guide: 'Guide',
    roles: {
      owner: 'Owner',
      manager: 'Manager',
      reception: 'Reception',
      support: 'Support',
      portal: 'Integration partner',
    } satisfies Record<Role, string>,
    sections: {
      overview: 'Overview',
      appointments: 'Appointments',
      blocks: 'Blocked times',
      calls: 'Calls',
      integrations: 'Integrations',
      keys: 'API keys',
      endpoints: 'Webhook endpoints',
      deliveries: 'Deliveries',
      notices: 'Notices',
      requests: 'Requests',
      settings: 'Settings',
      clinic: 'Clinic',
      hours: 'Business hours',
      receptionist: 'AI receptionist',
      booking: 'Booking by patients',
      team: 'Professionals',
      services: 'Services',
      audit: 'Who did what',
      sessions: 'Who is signed in',
      reads: 'Who read what',
      search: 'Search',
      stuck: 'Stuck deliveries',
      givenUp: 'What never arrived',
    } satisfies Record<Section, string>,
  },
  pt: {
    skip: 'Saltar para o conteúdo',
    menu: 'Menu',
    signOut: 'Terminar sessão',
    signOutEverywhere: 'Terminar sessão em todos os dispositivos',
    ownSessions: 'Onde tem sessão iniciada',
    otherLanguage: 'English',
    unread: 'por ler',
    support: 'Apoio técnico',
    zone: (zone) => `Horas em ${zone}`,
    zones: 'Horas como a clínica as tem',
    csv: 'Descarregar (CSV)',
    guide: 'Guia (em inglês)',
    roles: {
      owner: 'Proprietário',
      manager: 'Gestão',
      reception: 'Receção',
      support: 'Apoio técnico',
      portal: 'Parceiro de integração',
    },
    sections: {
      overview: 'Resumo',
      appointments: 'Marcações',
      blocks: 'Horas bloqueadas',
      calls: 'Chamadas',
      integrations: 'Integrações',
      keys: 'Chaves de API',
      endpoints: 'Endpoints de webhook',
      deliveries: 'Entregas',
      notices: 'Avisos',
      requests: 'Pedidos',
      settings: 'Definições',
      clinic: 'Clínica',
      hours: 'Horário',
      receptionist: 'Rececionista de IA',
      booking: 'Marcações pelos pacientes',
      team: 'Profissionais',
      services: 'Serviços',
      audit: 'Quem fez o quê',
      sessions: 'Quem tem sessão iniciada',
      reads: 'Quem viu o quê',
      search: 'Pesquisa',
      stuck: 'Entregas paradas',
      givenUp: 'O que nunca chegou',
    },
  },
});

export const OTHER_LANGUAGE: Words<Language> = { en: 'pt', pt: 'en' };
