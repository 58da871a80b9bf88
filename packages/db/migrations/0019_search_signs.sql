-- Text as search looks for it: without case and accents, each sign as an accented letter, of which it has no other, and each blank as
-- two. The index of texts knows three letters or digits in a row and nothing else. With signs and blanks among them it tells an address
-- from one that differs in a dot alone, and a word that begins with two letters from one that has them anywhere.
CREATE FUNCTION crm_searchable(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
SET search_path = public, pg_catalog
AS $$
  SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    lower(unaccent('unaccent'::regdictionary, value)),
    '!', 'ā'), '"', 'ă'), '#', 'ą'), '$', 'ć'),
    '%', 'ĉ'), '&', 'ċ'), '''', 'č'), '(', 'ď'),
    ')', 'ē'), '*', 'ĕ'), '+', 'ė'), ',', 'ę'),
    '-', 'ě'), '.', 'ĝ'), '/', 'ğ'), ':', 'ġ'),
    ';', 'ģ'), '<', 'ĥ'), '=', 'ĩ'), '>', 'ī'),
    '?', 'ĭ'), '@', 'į'), '[', 'ĵ'), '\', 'ķ'),
    ']', 'ĺ'), '^', 'ļ'), '_', 'ľ'), '`', 'ń'),
    '{', 'ņ'), '|', 'ň'), '}', 'ō'), '~', 'ŏ'),
    E'\n', ' '), E'\r', ' '), E'\t', ' '), ' ', 'šš')
$$;
--> statement-breakpoint
ALTER TABLE "price_lists" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name));
--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name || ' ' || coalesce(sku, '') || ' ' || coalesce(barcode, '')));
--> statement-breakpoint
ALTER TABLE "channels" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name || ' ' || coalesce(topic, '')));
--> statement-breakpoint
ALTER TABLE "conversation_messages" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || body));
--> statement-breakpoint
ALTER TABLE "conversations" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || subject));
--> statement-breakpoint
ALTER TABLE "companies" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name || ' ' || coalesce(domain, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, '')));
--> statement-breakpoint
ALTER TABLE "contacts" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || crm_words(emails) || ' ' || crm_words(phones)));
--> statement-breakpoint
ALTER TABLE "deals" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name));
--> statement-breakpoint
ALTER TABLE "leads" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')));
--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name));
--> statement-breakpoint
ALTER TABLE "documents" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || name || ' ' || kind));
--> statement-breakpoint
ALTER TABLE "invoices" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500)));
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500)));
--> statement-breakpoint
ALTER TABLE "quotes" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500)));
--> statement-breakpoint
ALTER TABLE "activities" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || coalesce(subject, '') || ' ' || left(coalesce(body, ''), 2000)));
--> statement-breakpoint
ALTER TABLE "custom_records" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || title));
--> statement-breakpoint
ALTER TABLE "projects" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || number::text || ' ' || name));
--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "search_text" SET EXPRESSION AS (crm_searchable(' ' || number::text || ' ' || title));