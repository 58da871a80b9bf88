-- Two bookings that hold the same organizer's time cannot both exist.
ALTER TABLE bookings ADD CONSTRAINT bookings_no_overlap
  EXCLUDE USING gist (workspace_id WITH =, organizer_id WITH =, tstzrange(start_at, end_at) WITH &&)
  WHERE (status IN ('PENDING', 'CONFIRMED'));
--> statement-breakpoint
CREATE INDEX leads_search ON leads USING gin (workspace_id, search_text gin_trgm_ops) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX leads_messengers ON leads USING gin (messengers jsonb_path_ops) WHERE deleted_at IS NULL AND messengers <> '[]';
--> statement-breakpoint
CREATE INDEX leads_custom_fields ON leads USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
-- Every statement that writes leads adds at least one row to the ledger of counts, so that the visible rows of the
-- ledger identify the visible state of the leads.
CREATE FUNCTION crm_count_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT workspace_id, 'LEAD', owner_id, coalesce(owner_id, created_by_id), department_id, pipeline_id, stage_id, status,
      count(*) FILTER (WHERE deleted_at IS NULL)
    FROM new_rows GROUP BY 1, 3, 4, 5, 6, 7, 8;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT workspace_id, 'LEAD', owner_id, coalesce(owner_id, created_by_id), department_id, pipeline_id, stage_id, status,
      -count(*) FILTER (WHERE deleted_at IS NULL)
    FROM old_rows GROUP BY 1, 3, 4, 5, 6, 7, 8;
  ELSE
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT workspace_id, 'LEAD', owner_id, holder_id, department_id, pipeline_id, stage_id, status, sum(n)
    FROM (
      SELECT workspace_id, owner_id, coalesce(owner_id, created_by_id) AS holder_id, department_id, pipeline_id, stage_id, status,
        CASE WHEN deleted_at IS NULL THEN -1 ELSE 0 END AS n FROM old_rows
      UNION ALL
      SELECT workspace_id, owner_id, coalesce(owner_id, created_by_id), department_id, pipeline_id, stage_id, status,
        CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END FROM new_rows
    ) moved GROUP BY 1, 3, 4, 5, 6, 7, 8;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_counted_insert AFTER INSERT ON leads REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_count_leads();
--> statement-breakpoint
CREATE TRIGGER leads_counted_update AFTER UPDATE ON leads REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_count_leads();
--> statement-breakpoint
CREATE TRIGGER leads_counted_delete AFTER DELETE ON leads REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_count_leads();
--> statement-breakpoint
-- Folds the ledger of one kind of record into one row for each combination. The row it always adds (n = 0, no
-- dimensions) gives the folded ledger an id of its own, so that no earlier state looks like it.
CREATE FUNCTION crm_compact_counts(workspace uuid, entity text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('counts:' || entity || ':' || workspace::text, 0)) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM record_counts WHERE workspace_id = workspace AND entity_type = entity RETURNING *
  ), added AS (
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT workspace, entity, owner_id, holder_id, department_id, pipeline_id, stage_id, status, sum(n)
    FROM taken GROUP BY 3, 4, 5, 6, 7, 8 HAVING sum(n) <> 0
    UNION ALL
    SELECT workspace, entity, NULL, NULL, NULL, NULL, NULL, NULL, 0
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END $$;
