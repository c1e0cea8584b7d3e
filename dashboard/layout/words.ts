import type { Role } from '../../domain/people/roles.ts';
import type { Language, Words } from '../language/language.ts';

interface FrameWords {
  skip: string;
  menu: string;
  signOut: string;
  signOutEverywhere: string;
  ownSessions: string;
  otherLanguage: string;
  roles: Record<Role, string>;
  sections: Record<Section, string>;
  /** After a count of notices. */
  unread: string;
  support: string;
  /** In which times are. */
  zone: (zone: string) => string;
  /** At the support desk. */
  zones: string;
  /** A list as a file. */
  csv: string;
  /** Guides are written in English. */
  guide: string;
}

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

export const FRAME_WORDS: Words<FrameWords> = {
  en: {
    skip: 'Skip to the content',
    menu: 'Menu',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out on all devices',
    ownSessions: 'Where you are signed in',
    otherLanguage: 'Português',
    unread: 'unread',
    support: 'Support desk',
    zone: (zone) => `Times in ${zone}`,
    zones: 'Times as the clinic has them',
    csv: 'Download (CSV)',
    guide: 'Guide',
    roles: {
      owner: 'Owner',
      manager: 'Manager',
      reception: 'Reception',
      support: 'Support',
      portal: 'Integration partner',
    },
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
    },
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
};

export const OTHER_LANGUAGE: Words<Language> = { en: 'pt', pt: 'en' };
