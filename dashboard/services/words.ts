import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfService } from './service-form.ts';

type Field = NameOf<ShownOfService>;

export const SERVICE_WORDS = words({
  en: {
    add: 'New service',
    none: 'No services yet. Add the services that patients can book.',
    next: 'More services',
    heads: { name: 'Name', lasts: 'Duration', price: 'Price', who: 'Offered by', state: 'Status' },
    minutes: 'min',
    everybody: 'All professionals',
    /** How many professionals are not named. */
    more: (count: string) => `and ${count} more`,
    active: 'Can be booked',
    ended: 'No longer offered',
    save: 'Save',
    create: 'Add service',
    fields: {
      name: 'Name',
      description: 'Description (shown to patients)',
      durationMinutes: 'Duration (minutes)',
      bufferMinutes: 'Buffer after (minutes)',
      priceEur: 'Price (euro)',
      professional: 'Offered by',
      active: 'Can be booked',
    } satisfies Record<Field, string>,
    hints: {
      durationMinutes: 'Existing appointments keep their duration.',
      priceEur: 'For example 50 or 50.00. Leave blank to hide the price.',
      professional: 'If all professionals offer this service, leave all boxes unticked.',
      active: 'If you clear this, existing appointments stay booked and can still be rescheduled.',
    } satisfies Record<'durationMinutes' | 'priceEur' | 'professional' | 'active', string>,
    wrong: {
      name: 'Enter a name of 1 to 200 characters.',
      description: 'Enter at most 5000 characters.',
      durationMinutes: 'Enter a whole number from 1 to 1440.',
      bufferMinutes: 'Enter a whole number from 0 to 1440.',
      priceEur: 'Enter an amount, for example 50.00.',
      professional: 'Choose professionals of this clinic.',
    } satisfies Record<Exclude<Field, 'active'>, string>,
  },
  pt: {
    add: 'Novo serviço',
    none: 'Ainda não há serviços. Adicione os serviços que os pacientes podem marcar.',
    next: 'Mais serviços',
    heads: { name: 'Nome', lasts: 'Duração', price: 'Preço', who: 'Prestado por', state: 'Estado' },
    minutes: 'min',
    everybody: 'Todos os profissionais',
    more: (count) => `e mais ${count}`,
    active: 'Pode ser marcado',
    ended: 'Já não disponível',
    save: 'Guardar',
    create: 'Adicionar serviço',
    fields: {
      name: 'Nome',
      description: 'Descrição (visível para os pacientes)',
      durationMinutes: 'Duração (minutos)',
      bufferMinutes: 'Intervalo depois (minutos)',
      priceEur: 'Preço (euros)',
      professional: 'Prestado por',
      active: 'Pode ser marcado',
    },
    hints: {
      durationMinutes: 'As marcações existentes mantêm a duração.',
      priceEur: 'Por exemplo, 50 ou 50,00. Deixe em branco para não mostrar o preço.',
      professional: 'Se todos os profissionais prestam este serviço, não assinale nenhum.',
      active: 'Se retirar a seleção, as marcações existentes mantêm-se e ainda podem ser remarcadas.',
    },
    wrong: {
      name: 'Escreva um nome com 1 a 200 caracteres.',
      description: 'Escreva no máximo 5000 caracteres.',
      durationMinutes: 'Escreva um número inteiro de 1 a 1440.',
      bufferMinutes: 'Escreva um número inteiro de 0 a 1440.',
      priceEur: 'Escreva um valor, por exemplo 50,00.',
      professional: 'Escolha profissionais desta clínica.',
    },
  },
});
