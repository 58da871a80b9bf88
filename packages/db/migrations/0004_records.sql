-- The words of a list as one text. PostgreSQL cannot know that joining texts depends on nothing else.
CREATE FUNCTION crm_words(words text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT array_to_string(words, ' ') $$;
--> statement-breakpoint
CREATE TABLE "activities" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"subject" text,
	"body" text,
	"direction" text,
	"status" text NOT NULL,
	"start_at" timestamptz(3),
	"end_at" timestamptz(3),
	"outcome" text,
	"participants" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(coalesce(subject, '') || ' ' || left(coalesce(body, ''), 2000))) STORED,
	CONSTRAINT "activities_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "checklist_items" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"title" text NOT NULL,
	"is_done" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "checklist_items_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "custom_entities" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"labels" jsonb NOT NULL,
	"fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"has_owner" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "custom_entities_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "custom_records" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_key" text NOT NULL,
	"title" text NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(title)) STORED,
	CONSTRAINT "custom_records_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"company_id" uuid,
	"deal_id" uuid,
	"member_ids" uuid[] DEFAULT '{}' NOT NULL,
	"start_date" date,
	"end_date" date,
	"budget" numeric(18, 6),
	"currency" text,
	"progress" smallint DEFAULT 0 NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(number::text || ' ' || name)) STORED,
	CONSTRAINT "projects_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "projects_number" UNIQUE("workspace_id","number")
);
--> statement-breakpoint
CREATE TABLE "record_links" (
	"workspace_id" uuid NOT NULL,
	"from_type" text NOT NULL,
	"from_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	CONSTRAINT "record_links_workspace_id_from_type_from_id_entity_type_entity_id_pk" PRIMARY KEY("workspace_id","from_type","from_id","entity_type","entity_id")
);
--> statement-breakpoint
CREATE TABLE "record_numbers" (
	"workspace_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "record_numbers_workspace_id_entity_type_pk" PRIMARY KEY("workspace_id","entity_type")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"priority" text DEFAULT 'NORMAL' NOT NULL,
	"assignee_id" uuid,
	"member_ids" uuid[] DEFAULT '{}' NOT NULL,
	"project_id" uuid,
	"parent_task_id" uuid,
	"start_at" timestamptz(3),
	"due_at" timestamptz(3),
	"completed_at" timestamptz(3),
	"estimate_min" integer,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(number::text || ' ' || title)) STORED,
	CONSTRAINT "tasks_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "tasks_number" UNIQUE("workspace_id","number")
);
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "industry_id" uuid;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "size" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "tax_id" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "billing_address" jsonb;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "shipping_address" jsonb;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "merged_into_id" uuid;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "search_text" text GENERATED ALWAYS AS (crm_fold(name || ' ' || coalesce(domain, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, ''))) STORED;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "emails" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "phones" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "birthday" date;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "socials" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "merged_into_id" uuid;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "search_text" text GENERATED ALWAYS AS (crm_fold(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || crm_words(emails) || ' ' || crm_words(phones))) STORED;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "items" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "lost_reason" text;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "stage_changed_at" timestamptz(3) DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "closed_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "search_text" text GENERATED ALWAYS AS (crm_fold(name)) STORED;--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checklist_items" ADD CONSTRAINT "checklist_items_task" FOREIGN KEY ("workspace_id","task_id") REFERENCES "public"."tasks"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_entities" ADD CONSTRAINT "custom_entities_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_records" ADD CONSTRAINT "custom_records_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_numbers" ADD CONSTRAINT "record_numbers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_project" FOREIGN KEY ("workspace_id","project_id") REFERENCES "public"."projects"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_parent" FOREIGN KEY ("workspace_id","parent_task_id") REFERENCES "public"."tasks"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_assignee" FOREIGN KEY ("workspace_id","assignee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("workspace_id","created_at","id") WHERE "activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activities_by_owner" ON "activities" USING btree ("workspace_id","owner_id","created_at","id") WHERE "activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activities_by_department" ON "activities" USING btree ("workspace_id","department_id","created_at","id") WHERE "activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activities_by_status" ON "activities" USING btree ("workspace_id","status","created_at","id") WHERE "activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "checklist_items_of_task" ON "checklist_items" USING btree ("workspace_id","task_id","position","id");--> statement-breakpoint
CREATE UNIQUE INDEX "custom_entities_key" ON "custom_entities" USING btree ("workspace_id","key");--> statement-breakpoint
CREATE INDEX "custom_records_newest" ON "custom_records" USING btree ("workspace_id","entity_key","created_at","id") WHERE "custom_records"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "custom_records_by_owner" ON "custom_records" USING btree ("workspace_id","entity_key","owner_id","created_at","id") WHERE "custom_records"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_newest" ON "projects" USING btree ("workspace_id","created_at","id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_by_owner" ON "projects" USING btree ("workspace_id","owner_id","created_at","id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_by_department" ON "projects" USING btree ("workspace_id","department_id","created_at","id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_by_status" ON "projects" USING btree ("workspace_id","status","created_at","id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_members" ON "projects" USING gin ("member_ids");--> statement-breakpoint
CREATE INDEX "record_links_to" ON "record_links" USING btree ("workspace_id","entity_type","entity_id","from_type","from_id");--> statement-breakpoint
CREATE INDEX "tasks_newest" ON "tasks" USING btree ("workspace_id","created_at","id") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_owner" ON "tasks" USING btree ("workspace_id","owner_id","created_at","id") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_department" ON "tasks" USING btree ("workspace_id","department_id","created_at","id") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_status" ON "tasks" USING btree ("workspace_id","status","created_at","id") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_assignee" ON "tasks" USING btree ("workspace_id","assignee_id","created_at","id") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_project" ON "tasks" USING btree ("workspace_id","project_id","created_at","id") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_parent" ON "tasks" USING btree ("workspace_id","parent_task_id");--> statement-breakpoint
CREATE INDEX "tasks_members" ON "tasks" USING gin ("member_ids");--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "companies_newest" ON "companies" USING btree ("workspace_id","created_at","id") WHERE "companies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "companies_by_owner" ON "companies" USING btree ("workspace_id","owner_id","created_at","id") WHERE "companies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "companies_by_department" ON "companies" USING btree ("workspace_id","department_id","created_at","id") WHERE "companies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "companies_by_industry" ON "companies" USING btree ("workspace_id","industry_id");--> statement-breakpoint
CREATE INDEX "companies_by_parent" ON "companies" USING btree ("workspace_id","parent_id");--> statement-breakpoint
CREATE INDEX "contacts_newest" ON "contacts" USING btree ("workspace_id","created_at","id") WHERE "contacts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_by_owner" ON "contacts" USING btree ("workspace_id","owner_id","created_at","id") WHERE "contacts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_by_department" ON "contacts" USING btree ("workspace_id","department_id","created_at","id") WHERE "contacts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_by_company" ON "contacts" USING btree ("workspace_id","company_id");--> statement-breakpoint
CREATE INDEX "deals_newest" ON "deals" USING btree ("workspace_id","created_at","id") WHERE "deals"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deals_by_owner" ON "deals" USING btree ("workspace_id","owner_id","created_at","id") WHERE "deals"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deals_by_department" ON "deals" USING btree ("workspace_id","department_id","created_at","id") WHERE "deals"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deals_by_stage" ON "deals" USING btree ("workspace_id","stage_id","created_at","id") WHERE "deals"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deals_by_status" ON "deals" USING btree ("workspace_id","status","created_at","id") WHERE "deals"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deals_by_close_date" ON "deals" USING btree ("workspace_id","expected_close_date") WHERE "deals"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deals_by_contact" ON "deals" USING btree ("workspace_id","contact_id");--> statement-breakpoint
CREATE INDEX "deals_by_company" ON "deals" USING btree ("workspace_id","company_id");
--> statement-breakpoint
-- Makes every statement that writes a table add at least one row to the ledger of counts, as it is for leads. The last
-- four arguments are expressions over a row of the table: its entity type, pipeline, stage and status.
CREATE PROCEDURE crm_keep_counts(records text, entity text, pipeline text, stage text, status text) LANGUAGE plpgsql AS $$
DECLARE
  dimensions text := format('workspace_id, %s AS entity_type, owner_id, coalesce(owner_id, created_by_id) AS holder_id, department_id, %s AS pipeline_id, %s AS stage_id, %s AS status',
    entity, pipeline, stage, status);
BEGIN
  EXECUTE format($make$
    CREATE FUNCTION crm_count_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
        SELECT %2$s, count(*) FILTER (WHERE deleted_at IS NULL) FROM new_rows GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
        SELECT %2$s, -count(*) FILTER (WHERE deleted_at IS NULL) FROM old_rows GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      ELSE
        INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
        SELECT workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, sum(n)
        FROM (
          SELECT %2$s, CASE WHEN deleted_at IS NULL THEN -1 ELSE 0 END AS n FROM old_rows
          UNION ALL
          SELECT %2$s, CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END FROM new_rows
        ) moved GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      END IF;
      RETURN NULL;
    END $body$;
    CREATE TRIGGER %1$s_counted_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION crm_count_%1$s();
    CREATE TRIGGER %1$s_counted_update AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION crm_count_%1$s();
    CREATE TRIGGER %1$s_counted_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION crm_count_%1$s();
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT %2$s, count(*) FROM %1$I WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
    CREATE INDEX %1$s_search ON %1$I USING gin (workspace_id, search_text gin_trgm_ops) WHERE deleted_at IS NULL;
  $make$, records, dimensions);
END $$;
--> statement-breakpoint
CALL crm_keep_counts('contacts', '''CONTACT''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CALL crm_keep_counts('companies', '''COMPANY''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CALL crm_keep_counts('deals', '''DEAL''', 'pipeline_id', 'stage_id', 'status');
--> statement-breakpoint
CALL crm_keep_counts('tasks', '''TASK''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('projects', '''PROJECT''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('activities', '''ACTIVITY''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('custom_records', 'upper(entity_key)', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CREATE INDEX contacts_custom_fields ON contacts USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
CREATE INDEX companies_custom_fields ON companies USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
CREATE INDEX deals_custom_fields ON deals USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
