-- Texts are folded by one function, which depends on no setting of the database: its collations have names and its dictionary has one.
-- Letters that are not ASCII: compatibility forms and composed letters become one form, case goes with the full rules of Unicode (İ, ς, ß),
-- then accents, and last apostrophes, marks that are left, the vowel signs of Arabic and Hebrew, and signs without a width. The vowel signs
-- of other scripts stay: there they tell words apart. Unaccenting makes capital letters of a few small ones, so case goes twice.
CREATE FUNCTION crm_fold_letters(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(
  casefold(
    public.unaccent('public.unaccent'::regdictionary, casefold(normalize(value, NFKC) COLLATE "pg_unicode_fast"))
    COLLATE "pg_unicode_fast"
  ) COLLATE "C",
  U&'[''\0060\00AD\00B4\02B9-\02BF\02C8\0300-\036F\0483-\0487\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\05F3\0610-\061A\0640\064B-\065F\0670\06D6-\06DC\06DF-\06E4\06E7\06E8\06EA-\06ED\200B-\200F\2018\2019\201B\2032\FEFF]',
  '', 'g'
);
--> statement-breakpoint
-- Text as it is compared, whatever compares it. Most texts are ASCII and cost almost nothing; without STRICT, PostgreSQL writes the body
-- into the statement instead of calling it.
CREATE OR REPLACE FUNCTION crm_fold(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(value) = length(value) THEN translate(lower(value COLLATE "C"), '''`', '')
  ELSE public.crm_fold_letters(value)
END;
--> statement-breakpoint
-- Text as search looks for it: folded, each sign as an accented letter, of which folded text has no other, and each blank as two. The rows
-- that are there get their new texts from a backfill.
CREATE OR REPLACE FUNCTION crm_searchable(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(
  translate(
    public.crm_fold(value),
    E'!"#$%&()*+,-./:;<=>?@[\\]^_{|}~\n\r\t',
    'āăąćĉċďēĕėęěĝğġģĥĩīĭįĵķĺļľņňōŏ   '
  ),
  ' ', 'šš'
);
--> statement-breakpoint
-- The orders of names: without regard to case, equal names by id. One serves all languages whose alphabet is the common one.
CREATE COLLATION IF NOT EXISTS crm_names (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_cs (provider = icu, locale = 'cs-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_da (provider = icu, locale = 'da-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_es (provider = icu, locale = 'es-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_fi (provider = icu, locale = 'fi-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_hu (provider = icu, locale = 'hu-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_nb (provider = icu, locale = 'nb-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_pl (provider = icu, locale = 'pl-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_sk (provider = icu, locale = 'sk-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_sv (provider = icu, locale = 'sv-u-ks-level2', deterministic = false);
--> statement-breakpoint
CREATE COLLATION IF NOT EXISTS crm_names_tr (provider = icu, locale = 'tr-u-ks-level2', deterministic = false);
--> statement-breakpoint
-- A row that gets another name is no twin any more.
CREATE FUNCTION crm_end_twin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_twin := false;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Rows whose names are equal once folded: the oldest one has the name, the others are marked and stay as they are. There are few, if any.
DO $$
DECLARE named record;
BEGIN
  FOR named IN SELECT * FROM (VALUES
    ('units', 'name', 'workspace_id', 'true'),
    ('tax_rates', 'name', 'workspace_id', 'true'),
    ('product_categories', 'name', 'workspace_id, parent_id', 'true'),
    ('product_tags', 'name', 'workspace_id', 'true'),
    ('products', 'sku', 'workspace_id', 'deleted_at IS NULL AND sku IS NOT NULL'),
    ('product_attribute_groups', 'name', 'workspace_id', 'true'),
    ('product_attribute_values', 'name', 'workspace_id, attribute_id', 'true'),
    ('number_sequences', 'name', 'workspace_id, entity_type', 'true'),
    ('channels', 'name', 'workspace_id', 'true'),
    ('pipelines', 'name', 'workspace_id, entity_type', 'true'),
    ('stages', 'name', 'workspace_id, pipeline_id', 'true'),
    ('lead_sources', 'name', 'workspace_id', 'true'),
    ('roles', 'name', 'workspace_id', 'true'),
    ('industries', 'name', 'workspace_id', 'true')
  ) AS all_named (holder, title, scope, counted) LOOP
    EXECUTE format(
      'UPDATE %1$I SET is_twin = true WHERE (workspace_id, id) IN (
         SELECT workspace_id, id FROM (
           SELECT workspace_id, id, row_number() OVER (PARTITION BY %3$s, crm_fold(%2$I) ORDER BY created_at, id) AS place FROM %1$I WHERE %4$s
         ) AS placed WHERE place > 1)',
      named.holder, named.title, named.scope, named.counted);
    EXECUTE format(
      'CREATE TRIGGER %1$s_end_twin BEFORE UPDATE OF %2$I ON %1$I FOR EACH ROW
         WHEN (OLD.is_twin AND OLD.%2$I IS DISTINCT FROM NEW.%2$I) EXECUTE FUNCTION crm_end_twin()',
      named.holder, named.title);
  END LOOP;
END $$;
