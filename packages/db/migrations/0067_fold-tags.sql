-- The texts of a list as they are compared, each folded: tags of several spellings are one.
CREATE FUNCTION crm_fold_all(list text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT public.crm_fold(btrim(each)) FROM unnest(list) AS each);
