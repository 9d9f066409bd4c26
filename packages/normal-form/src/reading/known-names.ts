// cspell:disable -- names of tools, and of columns in seven languages
// The column names in exports of the usual tools, in English, German, French, Spanish, Portuguese, Italian and Dutch:
// Mailchimp, HubSpot, Klaviyo, SendGrid, Mailgun, SparkPost, ActiveCampaign, Brevo, Salesforce, Dynamics, Pipedrive,
// Google and Outlook contacts, Apollo, ZoomInfo, LinkedIn, Crunchbase and Mastodon.

import type { RuleType } from "../suppression-rule.ts"

/** What a column contains, by its name. `type` and `value` are those of a rule. */
export type KnownColumn = RuleType | "type" | "value"

/** Longer texts are no names. In characters. */
const NAME_LENGTH_MAX = 100

/** Null if the name is unknown. A text with a dot isn't a name, because it may be a domain. */
export const knownColumn = (name: string): KnownColumn | null =>
  knownColumns.get(plainName(name)) ?? null

/** Whether an unknown name sounds like a column of email addresses: `Owner e-mail`. */
export const soundsLikeEmail = (name: string): boolean =>
  /mail(?:address|adresse|adres)?$|correo$|courriel$/.test(plainName(name))

/** Letters and digits in lower case, without accents. */
const plainName = (name: string): string =>
  name.length > NAME_LENGTH_MAX
    ? ""
    : name
        .normalize("NFKD")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}.@]+/gu, "")

const list = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map(plainName)
    .filter((name) => name !== "")

const names = {
  type: list(`
    type, rule type,
  `),
  value: list(`
    value, rule, rule value,
  `),
  email: list(`
    email, emails, mail, email address, email addresses, mail address, email id, business email,
    business email address, work email, work email address, primary email, primary email
    address, contact email, contact email address, customer email, subscriber email, user email,
    lead email, person email, recipient, recipient email, recipient address, address, email 1,
    email 1 value, email 2 value, email 3 value, email work, email home, email 1 address, email
    2 address, email 3 address, personal email, secondary email, tertiary email, person email
    work, person email home, email (primary contact), Person - Email - Other,
    E-Mail-Adresse, E-Mail-Adressen, Mailadresse, E-Mail (geschäftlich), geschäftliche E-Mail,
    geschäftliche E-Mail-Adresse, E-Mail 2: Adresse, E-Mail 3: Adresse, E-Mail 1 – Wert, E-Mail
    2 – Wert, Empfänger,
    adresse e-mail, adresse mail, adresse de messagerie, courriel, adresse courriel, adresse
    électronique, adresse de courriel, e-mail professionnel, destinataire, adresse e-mail
    professionnelle,
    correo electrónico, correo, dirección de correo electrónico, dirección de correo, dirección
    de email, dirección de e-mail, dirección email, email del trabajo, correo electrónico del
    trabajo, destinatario,
    endereço de e-mail, endereço e-mail, correio eletrónico, endereço eletrónico, endereço de
    correio eletrónico, correio eletrônico, e-mail comercial, e-mail de trabalho, destinatário,
    indirizzo e-mail, indirizzo di posta elettronica, posta elettronica, indirizzo mail, e-mail
    aziendale, e-mail di lavoro,
    e-mailadres, e-mailadressen, mailadres, zakelijk e-mailadres, zakelijke e-mail, ontvanger,
  `),
  domain: list(`
    domain, domains, email domain, mail domain, domain name, E-Mail-Domain, Domäne, Domainname,
    domaine, nom de domaine, domaine e-mail, dominio, nombre de dominio, dominio de correo,
    domínio, nome de domínio, dominio e-mail, nome di dominio, nome dominio, domein, domeinnaam,
    e-maildomein,
  `),
  company_domain: list(`
    company domain, company domain name, company domains, account domain, organization domain,
    primary domain, website, websites, web site, website url, company website, company website
    url, company url, account website, corporate website, organization website, organization -
    website, web page, homepage, homepage url, company homepage url,
    Webseite, Internetseite, Internetadresse, Unternehmensdomain, Firmendomain,
    Unternehmens-Domain-Name, Domainname des Unternehmens, Unternehmenswebsite, Firmenwebsite,
    Firmenwebseite, Website-URL, URL der Website,
    site web, site internet, site web de l'entreprise, domaine de l'entreprise, nom de domaine
    de l'entreprise, URL du site web, site de l'entreprise,
    sitio web, página web, sitio web de la empresa, dominio de la empresa, nombre de dominio de
    la empresa, URL del sitio web,
    site, website da empresa, site da empresa, domínio da empresa, página da web, nome de
    domínio da empresa, URL do site,
    sito, sito web, sito internet, sito web aziendale, dominio aziendale, dominio dell'azienda,
    nome di dominio dell'azienda, URL del sito web,
    bedrijfswebsite, bedrijfsdomein, website van het bedrijf, domeinnaam van bedrijf, domeinnaam
    bedrijf, URL van website,
  `),
  industry: list(`
    industry, industries, company industry, primary industry, sector, industry sector,
    organization industry, industry group, industry groups, Branche, Branchen, Industrie,
    Wirtschaftszweig, secteur, secteur d'activité, secteurs, industria, sectores, setor,
    indústria, ramo de atividade, settore, settori, settore industriale, bedrijfstak,
    bedrijfssector,
  `),
} satisfies Record<KnownColumn, ReadonlyArray<string>>

const knownColumns = new Map(
  // The keys of an object literal have its key type.
  (Object.keys(names) as ReadonlyArray<keyof typeof names>).flatMap((known) =>
    names[known].map((name) => [name, known] as const),
  ),
)
