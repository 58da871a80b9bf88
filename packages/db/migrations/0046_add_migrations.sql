CREATE TABLE "migration_keys" (
	"workspace_id" uuid NOT NULL,
	"migration_id" uuid NOT NULL,
	"key" text NOT NULL,
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"record_id" uuid,
	CONSTRAINT "migration_keys_workspace_id_migration_id_key_pk" PRIMARY KEY("workspace_id","migration_id","key")
);
--> statement-breakpoint
CREATE TABLE "migrations" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"source" text NOT NULL,
	"state" text DEFAULT 'UPLOADING' NOT NULL,
	"plan" jsonb,
	"phase" text,
	"made" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"reverted" integer DEFAULT 0 NOT NULL,
	"remains" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"problem" text,
	"files_until" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "migrations_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "price_lists" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "price_lists" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "phone_extension" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "phone_extension" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "deals" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "phone_extension" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "activities" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "activities" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "custom_records" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "custom_records" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "external_source" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "typed" jsonb;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "problems" jsonb;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "migration_id" uuid;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "plan" jsonb;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "merged" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "migration_keys" ADD CONSTRAINT "migration_keys_migration" FOREIGN KEY ("workspace_id","migration_id") REFERENCES "public"."migrations"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "migrations" ADD CONSTRAINT "migrations_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "migrations_files" ON "migrations" USING btree ("files_until") WHERE "migrations"."files_until" is not null;
