CREATE TABLE "exports" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"filters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "exports_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"workspace_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"cells" text[] NOT NULL,
	"outcome" text,
	"record_id" uuid,
	"reason" text,
	"changes" jsonb,
	CONSTRAINT "import_rows_workspace_id_import_id_line_pk" PRIMARY KEY("workspace_id","import_id","line")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"file_name" text DEFAULT '' NOT NULL,
	"entity_type" text DEFAULT '' NOT NULL,
	"header" text[] DEFAULT '{}' NOT NULL,
	"options" jsonb,
	"state" text DEFAULT 'UPLOADING' NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"reverted" integer DEFAULT 0 NOT NULL,
	"cursor" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "imports_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import" FOREIGN KEY ("workspace_id","import_id") REFERENCES "public"."imports"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_age" ON "exports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "imports_uploading" ON "imports" USING btree ("created_at") WHERE "imports"."state" = 'UPLOADING';