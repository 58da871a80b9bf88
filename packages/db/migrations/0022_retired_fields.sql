CREATE TABLE "retired_field_values" (
	"workspace_id" uuid NOT NULL,
	"field_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "retired_field_values_workspace_id_field_id_record_id_pk" PRIMARY KEY("workspace_id","field_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "retired_fields" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"key" text NOT NULL,
	"definition" jsonb NOT NULL,
	"value_count" integer NOT NULL,
	"retired_at" timestamptz(3) NOT NULL,
	"purge_at" timestamptz(3) NOT NULL,
	"retired_by_id" uuid,
	CONSTRAINT "retired_fields_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "retired_field_values" ADD CONSTRAINT "retired_field_values_field" FOREIGN KEY ("workspace_id","field_id") REFERENCES "public"."retired_fields"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retired_fields" ADD CONSTRAINT "retired_fields_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "retired_fields_key" ON "retired_fields" USING btree ("workspace_id","entity_type","key");--> statement-breakpoint
CREATE INDEX "retired_fields_due" ON "retired_fields" USING btree ("purge_at");