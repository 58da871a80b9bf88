CREATE TABLE "industries" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "industries_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"legal_name" text,
	"tax_id" text,
	"registration_number" text,
	"email" text,
	"phone" text,
	"website" text,
	"address" jsonb,
	"bank_details" text,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"entity_type" text NOT NULL,
	"visibility" text DEFAULT 'PRIVATE' NOT NULL,
	"query" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sort_by" text,
	"sort_order" text,
	"view" text DEFAULT 'LIST' NOT NULL,
	"columns" text[] DEFAULT '{}' NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "saved_filters_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "industries" ADD CONSTRAINT "industries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "industries_name" ON "industries" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_filters_of_kind" ON "saved_filters" USING btree ("workspace_id","entity_type","id");--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_industry" FOREIGN KEY ("workspace_id","industry_id") REFERENCES "public"."industries"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "departments_by_parent" ON "departments" USING btree ("workspace_id","parent_id");--> statement-breakpoint
CREATE INDEX "employees_by_department" ON "employees" USING btree ("workspace_id","department_id");