import type { Words } from '../language/language.ts';

interface ServiceWords {
  add: string;
  none: string;
  next: string;
  heads: { name: string; lasts: string; price: string; who: string; state: string };
  minutes: string;
  everybody: string;
  /** Professionals besides those who are named. */
  more: (count: string) => string;
  active: string;
  ended: string;
  save: string;
  create: string;
  canBeBooked: string;
  canBeBookedHint: string;
  whoHint: string;
  /** By the name of the field. */
  fields: Record<string, string>;
  hints: Record<string, string>;
  wrong: Record<string, string>;
}

export const SERVICE_WORDS: Words<ServiceWords> = {
  en: {
    add: 'New service',
    none: 'There is no service yet. Add what patients can book.',
    next: 'More services',
    heads: { name: 'Name', lasts: 'Lasts', price: 'Price', who: 'Offered by', state: 'State' },
    minutes: 'min',
    everybody: 'Everybody',
    more: (count) => `and ${count} more`,
    active: 'Can be booked',
    ended: 'No longer offered',
    save: 'Save',
    create: 'Add',
    canBeBooked: 'Can be booked',
    canBeBookedHint: 'Appointments that are booked already stand, and can be moved.',
    whoHint: 'Tick nobody, and everybody offers it.',
    fields: {
      name: 'Name',
      description: 'A few words for patients',
      durationMinutes: 'How many minutes it lasts',
      bufferMinutes: 'Minutes kept free afterwards',
      priceEur: 'Price in euro',
    },
    hints: {
      durationMinutes: 'Appointments that are booked already keep their length.',
      priceEur: 'Such as 50 or 50.00; empty: none.',
    },
    wrong: {
      name: 'Write 1 to 200 characters.',
      description: 'At most 5000 characters.',
      durationMinutes: 'A whole number from 1 to 1440.',
      bufferMinutes: 'A whole number from 0 to 1440.',
      priceEur: 'Write an amount such as 50.00.',
    },
  },
  pt: {
    add: 'Novo serviço',
    none: 'Ainda não há serviços. Adicione o que os pacientes podem marcar.',
    next: 'Mais serviços',
    heads: { name: 'Nome', lasts: 'Dura', price: 'Preço', who: 'Prestado por', state: 'Estado' },
    minutes: 'min',
    everybody: 'Todos',
    more: (count) => `e mais ${count}`,
    active: 'Pode ser marcado',
    ended: 'Já não se presta',
    save: 'Guardar',
    create: 'Adicionar',
    canBeBooked: 'Pode ser marcado',
    canBeBookedHint: 'As marcações já feitas mantêm-se e podem ser remarcadas.',
    whoHint: 'Se não assinalar ninguém, todos o prestam.',
    fields: {
      name: 'Nome',
      description: 'Algumas palavras para os pacientes',
      durationMinutes: 'Quantos minutos dura',
      bufferMinutes: 'Minutos livres a seguir',
      priceEur: 'Preço em euros',
    },
    hints: {
      durationMinutes: 'As marcações já feitas mantêm a duração.',
      priceEur: 'Por exemplo, 50 ou 50,00; vazio: nenhum.',
    },
    wrong: {
      name: 'Escreva entre 1 e 200 caracteres.',
      description: 'No máximo 5000 caracteres.',
      durationMinutes: 'Um número inteiro de 1 a 1440.',
      bufferMinutes: 'Um número inteiro de 0 a 1440.',
      priceEur: 'Escreva um valor como 50,00.',
    },
  },
};
