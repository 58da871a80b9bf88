-- Counts how the records of a table are followed up, for a statement of its own behind each write (docs/decisions/follow-ups.md). The functions that
-- triggers call stay for the version before.
DO $$
DECLARE followed record;
BEGIN
  FOR followed IN
    SELECT * FROM (VALUES
      ('leads', 'LEAD', 'NULL::timestamptz', 'NULL::uuid'),
      ('contacts', 'CONTACT', 'NULL::timestamptz', 'r.company_id'),
      ('deals', 'DEAL', 'NULL::timestamptz', 'r.company_id'),
      ('companies', 'COMPANY', '(SELECT max(c.last_activity_at) FROM contacts c WHERE c.workspace_id = workspace AND c.company_id = one.id AND c.deleted_at IS NULL),
           (SELECT max(d.last_activity_at) FROM deals d WHERE d.workspace_id = workspace AND d.company_id = one.id AND d.deleted_at IS NULL)', 'NULL::uuid')
    ) AS kinds (records, entity, last_of_others, company)
  LOOP
    EXECUTE format($make$
      CREATE FUNCTION crm_count_follow_ups_of_%1$s(workspace uuid, ids uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $body$
      DECLARE of_companies uuid[];
      BEGIN
        IF cardinality(ids) = 0 THEN RETURN '{}'; END IF;
        -- A statement of its own: what is counted next sees what others have committed while this one waited.
        PERFORM 1 FROM %1$I WHERE workspace_id = workspace AND id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
        WITH changed AS (
          UPDATE %1$I r SET open_task_count = told.open_tasks, next_task_at = told.next_task, last_activity_at = told.last_activity
          FROM (
            SELECT one.id, open_tasks, next_task, greatest(last_activity, %3$s) AS last_activity
            FROM (SELECT DISTINCT given.id FROM unnest(ids) AS given (id)) AS one
            CROSS JOIN LATERAL (
              SELECT count(*)::int AS open_tasks, min(t.due_at) AS next_task
              FROM record_links l JOIN tasks t ON t.workspace_id = l.workspace_id AND t.id = l.from_id
              WHERE l.workspace_id = workspace AND l.entity_type = %2$L AND l.entity_id = one.id AND l.from_type = 'TASK'
                AND t.deleted_at IS NULL AND t.status IN ('TODO', 'IN_PROGRESS', 'IN_REVIEW')
            ) AS of_tasks
            CROSS JOIN LATERAL (
              SELECT max(a.happened_at) AS last_activity
              FROM record_links l JOIN activities a ON a.workspace_id = l.workspace_id AND a.id = l.from_id
              WHERE l.workspace_id = workspace AND l.entity_type = %2$L AND l.entity_id = one.id AND l.from_type = 'ACTIVITY' AND a.deleted_at IS NULL
            ) AS of_activities
          ) AS told
          WHERE r.workspace_id = workspace AND r.id = told.id
            AND (r.open_task_count, r.next_task_at, r.last_activity_at) IS DISTINCT FROM (told.open_tasks, told.next_task, told.last_activity)
          RETURNING r.workspace_id, %4$s AS company_id
        ), counted AS (
          INSERT INTO record_counts (workspace_id, entity_type, n) SELECT DISTINCT workspace_id, %2$L, 0 FROM changed
        )
        SELECT array_agg(company_id) FILTER (WHERE company_id IS NOT NULL) INTO of_companies FROM changed;
        RETURN coalesce(of_companies, '{}');
      END $body$;
    $make$, followed.records, followed.entity, followed.last_of_others, followed.company);
  END LOOP;
END $$;
--> statement-breakpoint
-- Counts anew for records by kind. Planning takes longer than counting, so plans are made once in a session. Companies come last, with those of the contacts and deals: whoever locks them in one order never waits in a circle.
CREATE FUNCTION crm_count_follow_ups(workspace uuid, kinds text[], ids uuid[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  contacts uuid[] := ARRAY(SELECT one.id FROM unnest(kinds, ids) AS one (kind, id) WHERE one.kind = 'CONTACT');
  deals uuid[] := ARRAY(SELECT one.id FROM unnest(kinds, ids) AS one (kind, id) WHERE one.kind = 'DEAL');
  leads uuid[] := ARRAY(SELECT one.id FROM unnest(kinds, ids) AS one (kind, id) WHERE one.kind = 'LEAD');
  companies uuid[] := ARRAY(SELECT one.id FROM unnest(kinds, ids) AS one (kind, id) WHERE one.kind = 'COMPANY');
BEGIN
  companies := companies || crm_count_follow_ups_of_contacts(workspace, contacts);
  companies := companies || crm_count_follow_ups_of_deals(workspace, deals);
  PERFORM crm_count_follow_ups_of_leads(workspace, leads);
  PERFORM crm_count_follow_ups_of_companies(workspace, companies);
END $$;
--> statement-breakpoint
-- Counts anew for the records on which tasks or activities hang. Records that links were moved to while this one waited follow as well.
CREATE FUNCTION crm_count_follow_ups_by(workspace uuid, origin text, origins uuid[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  told uuid[] := '{}';
  kinds text[];
  ids uuid[];
BEGIN
  LOOP
    SELECT array_agg(l.entity_type), array_agg(l.entity_id) INTO kinds, ids FROM record_links l
    WHERE l.workspace_id = workspace AND l.from_type = origin AND l.from_id = ANY (origins) AND NOT l.entity_id = ANY (told);
    EXIT WHEN ids IS NULL;
    PERFORM crm_count_follow_ups(workspace, kinds, ids);
    told := told || ids;
  END LOOP;
END $$;
--> statement-breakpoint
-- The triggers leave a statement alone behind which follow-ups are counted, and those of the functions above. They count for the version before. No
-- table is locked: only the functions are made anew.
DO $$
DECLARE
  counting regprocedure;
  spares text := 'BEGIN
  IF pg_trigger_depth() = 1 AND position(''follow_ups'' IN current_query()) > 0 THEN RETURN NULL; END IF;';
BEGIN
  FOREACH counting IN ARRAY ARRAY['crm_links_changed()', 'crm_task_changed()', 'crm_activity_changed()', 'crm_company_part_changed()']::regprocedure[] LOOP
    EXECUTE regexp_replace(pg_get_functiondef(counting), '\mBEGIN\M', spares);
  END LOOP;
END $$;
