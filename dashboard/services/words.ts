import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfService } from './service-form.ts';

type Field = NameOf<ShownOfService>;

export const SERVICE_WORDS = words({
  en: {
    add: 'New service',
    none: 'There is no service yet. Add what patients can book.',
    next: 'More services',
    heads: { name: 'Name', lasts: 'Lasts', price: 'Price', who: 'Offered by', state: 'State' },
    minutes: 'min',
    everybody: 'Everybody',
    /** Professionals besides those who are named. */
    more: (count: string) => `and ${count} more`,
    active: 'Can be booked',
    ended: 'No longer offered',
    save: 'Save',
    create: 'Add',
    fields: {
      name: 'Name',
      description: 'A few words for patients',
      durationMinutes: 'How many minutes it lasts',
      bufferMinutes: 'Minutes kept free afterwards',
      priceEur: 'Price in euro',
      professional: 'Offered by',
      active: 'Can be booked',
    } satisfies Record<Field, string>,
    hints: {
      durationMinutes: 'Appointments that are booked already keep their length.',
      priceEur: 'Such as 50 or 50.00; empty: none.',
      professional: 'Tick nobody, and everybody offers it.',
      active: 'Appointments that are booked already stand, and can be moved.',
    } satisfies Record<'durationMinutes' | 'priceEur' | 'professional' | 'active', string>,
    wrong: {
      name: 'Write 1 to 200 characters.',
      description: 'At most 5000 characters.',
      durationMinutes: 'A whole number from 1 to 1440.',
      bufferMinutes: 'A whole number from 0 to 1440.',
      priceEur: 'Write an amount such as 50.00.',
      professional: 'Choose among the professionals of the clinic.',
    } satisfies Record<Exclude<Field, 'active'>, string>,
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
    fields: {
      name: 'Nome',
      description: 'Algumas palavras para os pacientes',
      durationMinutes: 'Quantos minutos dura',
      bufferMinutes: 'Minutos livres a seguir',
      priceEur: 'Preço em euros',
      professional: 'Prestado por',
      active: 'Pode ser marcado',
    },
    hints: {
      durationMinutes: 'As marcações já feitas mantêm a duração.',
      priceEur: 'Por exemplo, 50 ou 50,00; vazio: nenhum.',
      professional: 'Se não assinalar ninguém, todos o prestam.',
      active: 'As marcações já feitas mantêm-se e podem ser remarcadas.',
    },
    wrong: {
      name: 'Escreva entre 1 e 200 caracteres.',
      description: 'No máximo 5000 caracteres.',
      durationMinutes: 'Um número inteiro de 1 a 1440.',
      bufferMinutes: 'Um número inteiro de 0 a 1440.',
      priceEur: 'Escreva um valor como 50,00.',
      professional: 'Escolha entre os profissionais da clínica.',
    },
  },
});
