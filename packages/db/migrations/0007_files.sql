CREATE TABLE "file_links" (
	"workspace_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "file_links_workspace_id_file_id_entity_type_entity_id_pk" PRIMARY KEY("workspace_id","file_id","entity_type","entity_id")
);
--> statement-breakpoint
CREATE TABLE "file_uploads" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	CONSTRAINT "file_uploads_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"uploaded_by_id" uuid NOT NULL,
	"department_id" uuid,
	"deleted_at" timestamptz(3),
	"leaves_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(name)) STORED,
	CONSTRAINT "files_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "file_links" ADD CONSTRAINT "file_links_file" FOREIGN KEY ("workspace_id","file_id") REFERENCES "public"."files"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_uploader" FOREIGN KEY ("workspace_id","uploaded_by_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_links_of_record" ON "file_links" USING btree ("workspace_id","entity_type","entity_id","file_id");--> statement-breakpoint
CREATE INDEX "file_uploads_started" ON "file_uploads" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "files_newest" ON "files" USING btree ("workspace_id","created_at","id") WHERE "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "files_of_uploader" ON "files" USING btree ("workspace_id","uploaded_by_id","created_at","id") WHERE "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "files_search" ON "files" USING gin ("workspace_id","search_text" gin_trgm_ops) WHERE "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "files_leaving" ON "files" USING btree ("leaves_at") WHERE "files"."leaves_at" is not null;