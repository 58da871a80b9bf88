ALTER TABLE "companies" ADD COLUMN "open_task_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "next_task_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "last_activity_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "open_task_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "next_task_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "last_activity_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "open_task_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "next_task_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "last_activity_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "open_task_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_task_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "activities" ADD COLUMN "happened_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "companies_open_tasks" ON "companies" USING btree ("workspace_id","next_task_at") WHERE "companies"."deleted_at" is null and "companies"."open_task_count" > 0;--> statement-breakpoint
CREATE INDEX "companies_backdated" ON "companies" USING btree ("workspace_id","created_at","id") WHERE "companies"."deleted_at" is null and "companies"."last_activity_at" < "companies"."created_at";--> statement-breakpoint
CREATE INDEX "contacts_open_tasks" ON "contacts" USING btree ("workspace_id","next_task_at") WHERE "contacts"."deleted_at" is null and "contacts"."open_task_count" > 0;--> statement-breakpoint
CREATE INDEX "contacts_backdated" ON "contacts" USING btree ("workspace_id","created_at","id") WHERE "contacts"."deleted_at" is null and "contacts"."last_activity_at" < "contacts"."created_at";--> statement-breakpoint
CREATE INDEX "contacts_company_activity" ON "contacts" USING btree ("workspace_id","company_id","last_activity_at") WHERE "contacts"."deleted_at" is null and "contacts"."last_activity_at" is not null;--> statement-breakpoint
CREATE INDEX "deals_open_tasks" ON "deals" USING btree ("workspace_id","next_task_at") WHERE "deals"."deleted_at" is null and "deals"."open_task_count" > 0;--> statement-breakpoint
CREATE INDEX "deals_backdated" ON "deals" USING btree ("workspace_id","created_at","id") WHERE "deals"."deleted_at" is null and "deals"."last_activity_at" < "deals"."created_at";--> statement-breakpoint
CREATE INDEX "deals_company_activity" ON "deals" USING btree ("workspace_id","company_id","last_activity_at") WHERE "deals"."deleted_at" is null and "deals"."last_activity_at" is not null;--> statement-breakpoint
CREATE INDEX "leads_open_tasks" ON "leads" USING btree ("workspace_id","next_task_at") WHERE "leads"."deleted_at" is null and "leads"."open_task_count" > 0;--> statement-breakpoint
CREATE INDEX "leads_backdated" ON "leads" USING btree ("workspace_id","created_at","id") WHERE "leads"."deleted_at" is null and "leads"."last_activity_at" < "leads"."created_at";--> statement-breakpoint
-- When activities took place that were done before this was kept.
UPDATE activities SET happened_at = least(coalesce(end_at, start_at, created_at), now()) WHERE status = 'DONE';
--> statement-breakpoint
-- Keeps how the records of a table are followed up. The last two arguments are the entity type, and what else is a last activity of a record
-- `r`: another expression over it.
CREATE PROCEDURE crm_keep_follow_ups(records text, entity text, last_of_others text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($make$
    CREATE FUNCTION crm_follow_up_%1$s(workspace uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $body$
    BEGIN
      -- A statement of its own: what is computed next sees what others have committed while this one waited.
      PERFORM 1 FROM %1$I WHERE workspace_id = workspace AND id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
      UPDATE %1$I r SET open_task_count = told.open_tasks, next_task_at = told.next_task, last_activity_at = told.last_activity
      FROM (
        SELECT r.id, open_tasks, next_task, greatest(last_activity, %3$s) AS last_activity
        FROM %1$I r
        CROSS JOIN LATERAL (
          SELECT count(*)::int AS open_tasks, min(t.due_at) AS next_task
          FROM record_links l JOIN tasks t ON t.workspace_id = l.workspace_id AND t.id = l.from_id
          WHERE l.workspace_id = r.workspace_id AND l.entity_type = %2$L AND l.entity_id = r.id AND l.from_type = 'TASK'
            AND t.deleted_at IS NULL AND t.status IN ('TODO', 'IN_PROGRESS', 'IN_REVIEW')
        ) AS of_tasks
        CROSS JOIN LATERAL (
          SELECT max(a.happened_at) AS last_activity
          FROM record_links l JOIN activities a ON a.workspace_id = l.workspace_id AND a.id = l.from_id
          WHERE l.workspace_id = r.workspace_id AND l.entity_type = %2$L AND l.entity_id = r.id AND l.from_type = 'ACTIVITY' AND a.deleted_at IS NULL
        ) AS of_activities
        WHERE r.workspace_id = workspace AND r.id = ANY (ids)
      ) AS told
      WHERE r.workspace_id = workspace AND r.id = told.id
        AND (r.open_task_count, r.next_task_at, r.last_activity_at) IS DISTINCT FROM (told.open_tasks, told.next_task, told.last_activity);
    END $body$;
  $make$, records, entity, last_of_others);
END $$;
--> statement-breakpoint
CALL crm_keep_follow_ups('leads', 'LEAD', 'NULL::timestamptz');
--> statement-breakpoint
CALL crm_keep_follow_ups('contacts', 'CONTACT', 'NULL::timestamptz');
--> statement-breakpoint
CALL crm_keep_follow_ups('deals', 'DEAL', 'NULL::timestamptz');
--> statement-breakpoint
CALL crm_keep_follow_ups('companies', 'COMPANY',
  '(SELECT max(c.last_activity_at) FROM contacts c WHERE c.workspace_id = r.workspace_id AND c.company_id = r.id AND c.deleted_at IS NULL),
   (SELECT max(d.last_activity_at) FROM deals d WHERE d.workspace_id = r.workspace_id AND d.company_id = r.id AND d.deleted_at IS NULL)');
--> statement-breakpoint
CREATE FUNCTION crm_follow_up(workspace uuid, entity text, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CASE entity
    WHEN 'LEAD' THEN PERFORM crm_follow_up_leads(workspace, ids);
    WHEN 'CONTACT' THEN PERFORM crm_follow_up_contacts(workspace, ids);
    WHEN 'DEAL' THEN PERFORM crm_follow_up_deals(workspace, ids);
    WHEN 'COMPANY' THEN PERFORM crm_follow_up_companies(workspace, ids);
    ELSE NULL;
  END CASE;
END $$;
--> statement-breakpoint
-- Links came or went. Companies come last, as they do when a contact or a deal of theirs changes: whoever locks them in one order never waits in a circle.
CREATE FUNCTION crm_links_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT workspace_id, entity_type, array_agg(DISTINCT entity_id) AS ids FROM changed GROUP BY 1, 2 ORDER BY entity_type = 'COMPANY', 2
  LOOP
    PERFORM crm_follow_up(one.workspace_id, one.entity_type, one.ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER record_links_followed_insert AFTER INSERT ON record_links REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION crm_links_changed();
--> statement-breakpoint
CREATE TRIGGER record_links_followed_delete AFTER DELETE ON record_links REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION crm_links_changed();
--> statement-breakpoint
-- Tasks or activities changed: the records that they hang on follow. Records that links were moved to while this one waited follow as well.
CREATE FUNCTION crm_follow_up_linked(workspace uuid, origin text, origins uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
  told uuid[] := '{}';
  before integer;
BEGIN
  LOOP
    before := cardinality(told);
    FOR one IN
      SELECT l.entity_type, array_agg(DISTINCT l.entity_id) AS ids FROM record_links l
      WHERE l.workspace_id = workspace AND l.from_type = origin AND l.from_id = ANY (origins) AND NOT l.entity_id = ANY (told)
      GROUP BY 1 ORDER BY l.entity_type = 'COMPANY', 1
    LOOP
      PERFORM crm_follow_up(workspace, one.entity_type, one.ids);
      told := told || one.ids;
    END LOOP;
    EXIT WHEN cardinality(told) = before;
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION crm_task_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT n.workspace_id, array_agg(n.id) AS ids FROM new_rows n JOIN old_rows o ON o.workspace_id = n.workspace_id AND o.id = n.id
    WHERE (o.status, o.due_at, o.deleted_at) IS DISTINCT FROM (n.status, n.due_at, n.deleted_at) GROUP BY 1
  LOOP
    PERFORM crm_follow_up_linked(one.workspace_id, 'TASK', one.ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tasks_followed AFTER UPDATE ON tasks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_task_changed();
--> statement-breakpoint
CREATE FUNCTION crm_activity_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT n.workspace_id, array_agg(n.id) AS ids FROM new_rows n JOIN old_rows o ON o.workspace_id = n.workspace_id AND o.id = n.id
    WHERE (o.happened_at, o.deleted_at) IS DISTINCT FROM (n.happened_at, n.deleted_at) GROUP BY 1
  LOOP
    PERFORM crm_follow_up_linked(one.workspace_id, 'ACTIVITY', one.ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER activities_followed AFTER UPDATE ON activities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_activity_changed();
--> statement-breakpoint
-- What happens with the people and in the deals of a company happens with the company.
CREATE FUNCTION crm_company_part_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT changed.workspace_id, array_agg(DISTINCT company.id) AS ids
    FROM (
      SELECT n.workspace_id, o.company_id AS old_id, n.company_id AS new_id
      FROM new_rows n JOIN old_rows o ON o.workspace_id = n.workspace_id AND o.id = n.id
      WHERE coalesce(o.last_activity_at, n.last_activity_at) IS NOT NULL
        AND (o.company_id, o.last_activity_at, o.deleted_at) IS DISTINCT FROM (n.company_id, n.last_activity_at, n.deleted_at)
    ) AS changed
    CROSS JOIN LATERAL (VALUES (changed.old_id), (changed.new_id)) AS company (id)
    WHERE company.id IS NOT NULL GROUP BY 1
  LOOP
    PERFORM crm_follow_up_companies(one.workspace_id, one.ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER contacts_followed AFTER UPDATE ON contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_company_part_changed();
--> statement-breakpoint
CREATE TRIGGER deals_followed AFTER UPDATE ON deals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION crm_company_part_changed();
--> statement-breakpoint
-- What hangs on the records that are there.
SELECT crm_follow_up(workspace_id, entity_type, ids) FROM (
  SELECT workspace_id, entity_type, array_agg(DISTINCT entity_id) AS ids FROM record_links GROUP BY 1, 2 ORDER BY entity_type = 'COMPANY', 2
) AS linked;
--> statement-breakpoint
-- Leads knew their last activity before, of activities that are deleted as well.
SELECT crm_follow_up_leads(workspace_id, array_agg(id)) FROM leads WHERE last_activity_at IS NOT NULL GROUP BY workspace_id;
