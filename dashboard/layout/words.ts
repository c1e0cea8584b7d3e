import type { Role } from '../../domain/people/roles.ts';
import { type Language, words, type Words } from '../language/language.ts';

/** The pages in the navigation. */
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
  | 'clinics'
  | 'undelivered';

export const FRAME_WORDS = words({
  en: {
    skip: 'Skip to content',
    menu: 'Menu',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out on all devices',
    ownSessions: 'Your sessions',
    otherLanguage: 'Português',
    /** After a number of alerts. */
    unread: 'unread',
    support: 'Support desk',
    /** The time zone of the times shown. */
    zone: (zone: string) => `Times in ${zone}`,
    /** For the support desk. */
    zones: 'Times in each clinic’s time zone',
    /** Download link. */
    csv: 'Download CSV',
    /** Takes back what was just done. */
    undo: 'Undo',
    copy: 'Copy',
    copyId: 'Copy ID',
    /** Guides are in English. */
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
      notices: 'Alerts',
      requests: 'API requests',
      settings: 'Settings',
      clinic: 'Clinic',
      hours: 'Opening hours',
      receptionist: 'AI receptionist',
      booking: 'Online booking',
      team: 'Professionals',
      services: 'Services',
      audit: 'Activity log',
      sessions: 'Sessions',
      reads: 'Access log',
      search: 'Search',
      stuck: 'Stuck deliveries',
      clinics: 'Clinics',
      undelivered: 'Undelivered events',
    } satisfies Record<Section, string>,
  },
  pt: {
    skip: 'Saltar para o conteúdo',
    menu: 'Menu',
    signOut: 'Terminar sessão',
    signOutEverywhere: 'Terminar sessão em todos os dispositivos',
    ownSessions: 'As suas sessões',
    otherLanguage: 'English',
    unread: 'por ler',
    support: 'Apoio técnico',
    zone: (zone) => `Horas em ${zone}`,
    zones: 'Horas no fuso de cada clínica',
    csv: 'Descarregar CSV',
    undo: 'Anular',
    copy: 'Copiar',
    copyId: 'Copiar ID',
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
      blocks: 'Períodos bloqueados',
      calls: 'Chamadas',
      integrations: 'Integrações',
      keys: 'Chaves de API',
      endpoints: 'Endpoints de webhook',
      deliveries: 'Entregas',
      notices: 'Alertas',
      requests: 'Pedidos à API',
      settings: 'Definições',
      clinic: 'Clínica',
      hours: 'Horário da clínica',
      receptionist: 'Rececionista de IA',
      booking: 'Marcações online',
      team: 'Profissionais',
      services: 'Serviços',
      audit: 'Registo de atividade',
      sessions: 'Sessões',
      reads: 'Registo de acessos',
      search: 'Pesquisa',
      stuck: 'Entregas paradas',
      clinics: 'Clínicas',
      undelivered: 'Eventos por entregar',
    },
  },
});

export const OTHER_LANGUAGE: Words<Language> = { en: 'pt', pt: 'en' };
