import type { Language, Words } from '../language/language.ts';
import { SERVICE_WORDS } from '../services/words.ts';
import { TEAM_WORDS } from '../team/words.ts';

type FieldNames = Readonly<Record<string, string>>;

/**
 * Wording for forms that use different names for some fields, keyed by the action's prefix (`professional` in
 * `professional.update`).
 */
const FORM_WORDS: Partial<Record<string, Words<{ fields: FieldNames }>>> = {
  professional: TEAM_WORDS,
  service: SERVICE_WORDS,
};

/** Names of changed or searched fields. */
const FIELD_WORDS: Words<FieldNames> = {
  en: {
    name: 'name',
    specialty: 'specialty',
    email: 'email',
    phone: 'phone',
    workingHours: 'weekly hours',
    specialHours: 'special dates',
    externalId: 'external ID',
    metadata: 'metadata',
    description: 'description',
    professionals: 'offered by',
    publicSlug: 'booking page address',
    publicBookingEnabled: 'online booking',
    status: 'status',
    url: 'URL',
    events: 'events',
    ignoreActors: 'API keys whose events are not sent',
    enabled: 'enabled',
    patientName: 'by name',
    patientPhone: 'by phone',
    patientExternalId: 'by external ID',
    'config.timezone': 'time zone',
    'config.businessHours': 'opening hours',
    'config.specialHours': 'special dates',
    'config.greeting': 'greeting',
    'config.voice': 'voice',
    'config.voiceSpeed': 'voice speed',
    'config.fallbackHumanNumber': 'transfer number',
    'config.retention': 'retention periods',
    'config.reminders': 'reminders of patients',
    'config.acknowledgeWithinMinutes': 'time for practice software to confirm',
    'config.selfService': 'online booking rules',
    'config.language': 'language',
  },
  pt: {
    name: 'nome',
    specialty: 'especialidade',
    email: 'e-mail',
    phone: 'telefone',
    workingHours: 'horário semanal',
    specialHours: 'datas especiais',
    externalId: 'ID externo',
    metadata: 'metadados',
    description: 'descrição',
    professionals: 'prestado por',
    publicSlug: 'endereço da página de marcações',
    publicBookingEnabled: 'marcações online',
    status: 'estado',
    url: 'URL',
    events: 'eventos',
    ignoreActors: 'chaves de API cujos eventos não são enviados',
    enabled: 'ativo',
    patientName: 'pelo nome',
    patientPhone: 'pelo telefone',
    patientExternalId: 'pelo ID externo',
    'config.timezone': 'fuso horário',
    'config.businessHours': 'horário da clínica',
    'config.specialHours': 'datas especiais',
    'config.greeting': 'saudação',
    'config.voice': 'voz',
    'config.voiceSpeed': 'velocidade da voz',
    'config.fallbackHumanNumber': 'número para transferir chamadas',
    'config.retention': 'prazos de conservação',
    'config.reminders': 'lembretes aos pacientes',
    'config.acknowledgeWithinMinutes': 'prazo de confirmação do software da clínica',
    'config.selfService': 'regras das marcações online',
    'config.language': 'idioma',
  },
};

/**
 * The name of a field for people. A `config` key that is not listed was set by an integration and is shown as it is.
 */
export function fieldName(field: string, action: string, language: Language): string {
  const form = FORM_WORDS[action.split('.')[0] ?? '']?.[language].fields[field];
  const inForm = form && form.charAt(0).toLowerCase() + form.slice(1);
  return FIELD_WORDS[language][field] ?? inForm ?? field.replace(/^config\./, '');
}
