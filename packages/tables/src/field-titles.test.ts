import { contact, company, deal, lead, task } from '@crm/model'
import { expect, it } from 'vitest'
import { fieldsNamed, isKeyTitle, titleKey, type TitledKind } from './field-titles.ts'

const addressOf = (field: string): string[] =>
  ['line1', 'city', 'postalCode', 'country'].map((part) => `${field}.${part}`)

const kinds: Readonly<Record<string, TitledKind>> = {
  contact: {
    fields: [
      'externalId',
      'fullName',
      'ownerId',
      'createdAt',
      'tags',
      ...Object.keys(contact.fields),
      ...addressOf('address'),
    ],
    called: contact.called,
    references: { companyId: company.called },
  },
  company: {
    fields: [
      'externalId',
      'ownerId',
      ...Object.keys(company.fields),
      ...addressOf('billingAddress'),
      ...addressOf('shippingAddress'),
    ],
    called: company.called,
    references: {},
  },
  deal: {
    fields: ['externalId', 'ownerId', 'createdAt', ...Object.keys(deal.fields)],
    called: deal.called,
    references: { companyId: company.called, contactId: contact.called, leadId: lead.called },
  },
  task: { fields: ['externalId', 'ownerId', ...Object.keys(task.fields)], called: task.called, references: {} },
}

const named = (title: string, kind: string): string | undefined =>
  fieldsNamed(title, kinds[kind] as TitledKind)[0]?.field

it.each<[program: string, kind: string, fields: Readonly<Record<string, string>>]>([
  [
    'HubSpot',
    'contact',
    {
      'Record ID': 'externalId',
      'First Name': 'firstName',
      Email: 'email',
      'Phone Number': 'phone',
      'Mobile Phone Number': 'phones',
      'Contact owner': 'ownerId',
      'Associated Company': 'companyId',
      'Associated Company IDs (Primary)': 'companyId',
      'Create Date': 'createdAt',
      'Job Title': 'jobTitle',
      'Postal Code': 'address.postalCode',
    },
  ],
  [
    'HubSpot',
    'company',
    {
      'Company name': 'name',
      'Company Domain Name': 'domain',
      'Number of Employees': 'size',
      Industry: 'industryId',
      'Company owner': 'ownerId',
      City: 'billingAddress.city',
    },
  ],
  [
    'HubSpot',
    'deal',
    {
      'Deal Name': 'name',
      'Deal Stage': 'stageId',
      Pipeline: 'pipelineId',
      Amount: 'amount',
      'Close Date': 'expectedCloseDate',
      'Deal owner': 'ownerId',
      'Associated Contact IDs': 'contactId',
      'Closed Lost Reason': 'lostReason',
    },
  ],
  [
    'Pipedrive',
    'deal',
    {
      'Deal - ID': 'externalId',
      'Deal - Title': 'name',
      'Deal - Value': 'amount',
      'Deal - Currency': 'currency',
      'Deal - Organization': 'companyId',
      'Deal - Contact person': 'contactId',
      'Deal - Status': 'status',
      'Deal - Owner': 'ownerId',
      'Deal - Won time': 'closedAt',
      'Deal - Deal created': 'createdAt',
      'Deal - Deal closed on': 'closedAt',
      'Deal - Lost reason': 'lostReason',
      'Deal - Expected close date': 'expectedCloseDate',
    },
  ],
  [
    'Pipedrive',
    'contact',
    {
      'Person - ID': 'externalId',
      'Person - Name': 'fullName',
      'Person - Organization': 'companyId',
      'Person - Email - Work': 'email',
      'Person - Phone - Work': 'phone',
      'Person - Phone - Mobile': 'phones',
    },
  ],
  [
    'Salesforce',
    'contact',
    {
      'Contact ID': 'externalId',
      'First Name': 'firstName',
      'Account ID': 'companyId',
      'Account Name': 'companyId',
      Title: 'jobTitle',
      'Mailing Street': 'address.line1',
      'Mailing Zip/Postal Code': 'address.postalCode',
      Birthdate: 'birthday',
    },
  ],
  [
    'Salesforce',
    'company',
    {
      'Account ID': 'externalId',
      'Account Name': 'name',
      'Billing City': 'billingAddress.city',
      'Shipping City': 'shippingAddress.city',
      'Parent Account': 'parentId',
    },
  ],
  [
    'Salesforce',
    'deal',
    {
      'Opportunity ID': 'externalId',
      'Opportunity Name': 'name',
      'Account Name': 'companyId',
      'Created Date': 'createdAt',
      Stage: 'stageId',
      'Probability (%)': 'probability',
      'Opportunity Owner': 'ownerId',
    },
  ],
  [
    'Zoho',
    'deal',
    {
      'Record Id': 'externalId',
      'Account Name.id': 'companyId',
      'Contact Name': 'contactId',
      'Closing Date': 'expectedCloseDate',
      'Deal Owner': 'ownerId',
    },
  ],
  [
    'Twenty',
    'contact',
    {
      Id: 'externalId',
      'Name / First Name': 'firstName',
      'Name / Last Name': 'lastName',
      'Emails / Primary Email': 'email',
      'Company Id': 'companyId',
      'Job Title': 'jobTitle',
    },
  ],
  [
    'EspoCRM',
    'task',
    { Name: 'title', 'Assigned User': 'assigneeId', 'Date Due': 'dueAt', Priority: 'priority', Status: 'status' },
  ],
  [
    'Google',
    'contact',
    {
      'First Name': 'firstName',
      'Organization Name': 'companyId',
      'Organization Title': 'jobTitle',
      'E-mail 1 - Value': 'email',
      'E-mail 2 - Value': 'emails',
      'Phone 1 - Value': 'phone',
      Birthday: 'birthday',
      Labels: 'tags',
      Notes: 'description',
      'Address 1 - City': 'address.city',
    },
  ],
  [
    'Outlook',
    'contact',
    {
      'E-mail Address': 'email',
      'E-mail 2 Address': 'emails',
      'Business Phone': 'phone',
      'Mobile Phone': 'phones',
      Company: 'companyId',
      'Business Street': 'address.line1',
      'Business Postal Code': 'address.postalCode',
    },
  ],
  [
    'Outlook in German',
    'contact',
    {
      'E-Mail-Adresse': 'email',
      'Telefon geschäftlich': 'phone',
      Mobiltelefon: 'phones',
      'Straße geschäftlich': 'address.line1',
      'Ort geschäftlich': 'address.city',
      'Postleitzahl geschäftlich': 'address.postalCode',
      'Land/Region geschäftlich': 'address.country',
    },
  ],
  [
    'Outlook in French',
    'contact',
    {
      'Adresse de messagerie': 'email',
      'Téléphone (bureau)': 'phone',
      'Tél. mobile': 'phones',
      'Rue (bureau)': 'address.line1',
      'Ville (bureau)': 'address.city',
      'Code postal (bureau)': 'address.postalCode',
      'Pays/Région (bureau)': 'address.country',
    },
  ],
  [
    'Outlook in Spanish',
    'contact',
    {
      'Dirección de correo electrónico': 'email',
      'Teléfono del trabajo': 'phone',
      'Teléfono móvil': 'phones',
      'Calle del trabajo': 'address.line1',
      'Ciudad de trabajo': 'address.city',
      'Código postal del trabajo': 'address.postalCode',
      'País o región del trabajo': 'address.country',
    },
  ],
  [
    'Outlook in Russian',
    'contact',
    {
      'Адрес эл. почты': 'email',
      'Рабочий телефон': 'phone',
      'Телефон переносной': 'phones',
      'Улица (раб. адрес)': 'address.line1',
      'Город (раб. адрес)': 'address.city',
      'Почтовый код (раб.)': 'address.postalCode',
      'Страна или регион (раб. адрес)': 'address.country',
    },
  ],
  [
    'German',
    'contact',
    {
      Vorname: 'firstName',
      Nachname: 'lastName',
      'E-Mail-Adresse': 'email',
      Telefon: 'phone',
      Handy: 'phones',
      Firma: 'companyId',
      'Straße und Hausnummer': 'address.line1',
      PLZ: 'address.postalCode',
      Ort: 'address.city',
      Geburtstag: 'birthday',
      Schlagwörter: 'tags',
    },
  ],
  [
    'German',
    'deal',
    {
      Bezeichnung: 'name',
      Betrag: 'amount',
      Phase: 'stageId',
      Abschlussdatum: 'expectedCloseDate',
      Zuständig: 'ownerId',
      Währung: 'currency',
    },
  ],
  [
    'French',
    'contact',
    {
      Prénom: 'firstName',
      'Nom de famille': 'lastName',
      'Adresse e-mail': 'email',
      Téléphone: 'phone',
      Portable: 'phones',
      Entreprise: 'companyId',
      'Code postal': 'address.postalCode',
      Ville: 'address.city',
    },
  ],
  [
    'Spanish',
    'contact',
    {
      'Primer nombre': 'firstName',
      Apellidos: 'lastName',
      'Correo electrónico': 'email',
      Teléfono: 'phone',
      Móvil: 'phones',
      Empresa: 'companyId',
      'Código postal': 'address.postalCode',
      Ciudad: 'address.city',
    },
  ],
  [
    'Russian',
    'contact',
    {
      Имя: 'firstName',
      Фамилия: 'lastName',
      'Электронная почта': 'email',
      Телефон: 'phone',
      Компания: 'companyId',
      Должность: 'jobTitle',
      Город: 'address.city',
      'Дата рождения': 'birthday',
    },
  ],
])('titles of %s name the fields of a %s', (_, kind, fields) => {
  const titles = Object.keys(fields)
  expect(Object.fromEntries(titles.map((title) => [title, named(title, kind)]))).toEqual(fields)
})

it.each(['Unfug', 'Marketing contact status', 'x'])('a title that says nothing names nothing: %s', (title) => {
  expect(fieldsNamed(title, kinds['contact'] as TitledKind).filter(({ confidence }) => confidence > 0.5)).toEqual([])
})

it.each([
  ['Associated Company IDs (Primary)', true],
  ['Account Name.id', true],
  ['Company', false],
  ['Paid', false],
])('%s is a key to other records: %s', (title, isKey) => {
  expect(isKeyTitle(title)).toBe(isKey)
})

it.each([
  ['E-Mail', 'e mail'],
  ['firstName', 'first name'],
  ['  Straße ', 'strasse'],
  ['Téléphone (fixe)', 'telephone fixe'],
])('%s is compared as %s', (title, key) => {
  expect(titleKey(title)).toBe(key)
})
