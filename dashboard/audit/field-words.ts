import type { Language, Words } from '../language/language.ts';
import { SERVICE_WORDS } from '../services/words.ts';
import { TEAM_WORDS } from '../team/words.ts';

type FieldNames = Readonly<Record<string, string>>;

/** The forms that say what else is called how, by what stands before the dot of an action. */
const FORM_WORDS: Partial<Record<string, Words<{ fields: FieldNames }>>> = {
  professional: TEAM_WORDS,
  service: SERVICE_WORDS,
};

/** What the fields are called that somebody changed, or looked by. */
const FIELD_WORDS: Words<FieldNames> = {
  en: {
    name: 'name',
    specialty: 'specialty',
    email: 'e-mail',
    phone: 'phone',
    workingHours: 'weekly hours',
    specialHours: 'special dates',
    externalId: 'number in the other system',
    metadata: 'data of programs',
    description: 'description',
    professionals: 'who offers it',
    publicSlug: 'name of the booking page',
    publicBookingEnabled: 'booking by patients',
    status: 'state',
    url: 'address',
    events: 'events',
    ignoreActors: 'keys whose changes are not sent',
    enabled: 'on or off',
    patientName: 'by name',
    patientPhone: 'by phone',
    patientExternalId: 'by the patient’s number',
    'config.timezone': 'time zone',
    'config.businessHours': 'business hours',
    'config.specialHours': 'special dates',
    'config.greeting': 'greeting',
    'config.voice': 'voice',
    'config.voiceSpeed': 'speed of the voice',
    'config.fallbackHumanNumber': 'number of a person',
    'config.retention': 'how long things are kept',
    'config.selfService': 'rules of booking by patients',
    'config.language': 'language',
  },
  pt: {
    name: 'nome',
    specialty: 'especialidade',
    email: 'e-mail',
    phone: 'telefone',
    workingHours: 'horário semanal',
    specialHours: 'datas especiais',
    externalId: 'número no outro sistema',
    metadata: 'dados de programas',
    description: 'descrição',
    professionals: 'quem o presta',
    publicSlug: 'nome da página de marcações',
    publicBookingEnabled: 'marcações pelos pacientes',
    status: 'estado',
    url: 'endereço',
    events: 'eventos',
    ignoreActors: 'chaves cujas alterações não se enviam',
    enabled: 'ligado ou desligado',
    patientName: 'pelo nome',
    patientPhone: 'pelo telefone',
    patientExternalId: 'pelo número do paciente',
    'config.timezone': 'fuso horário',
    'config.businessHours': 'horário de funcionamento',
    'config.specialHours': 'datas especiais',
    'config.greeting': 'saudação',
    'config.voice': 'voz',
    'config.voiceSpeed': 'velocidade da voz',
    'config.fallbackHumanNumber': 'número de uma pessoa',
    'config.retention': 'quanto tempo se guardam dados',
    'config.selfService': 'regras das marcações pelos pacientes',
    'config.language': 'língua',
  },
};

/** A key of `config` that the service does not know is a program’s own, and keeps its name. */
export function fieldName(field: string, action: string, language: Language): string {
  const form = FORM_WORDS[action.split('.')[0] ?? '']?.[language].fields[field];
  const inForm = form && form.charAt(0).toLowerCase() + form.slice(1);
  return FIELD_WORDS[language][field] ?? inForm ?? field.replace(/^config\./, '');
}
