CREATE TABLE "work_failures" (
	"workspace_id" uuid NOT NULL,
	"work" text NOT NULL,
	"row" text NOT NULL,
	"failures" integer NOT NULL,
	"since" timestamptz(3) NOT NULL,
	"next_try_at" timestamptz(3) NOT NULL,
	"problem" text NOT NULL,
	CONSTRAINT "work_failures_workspace_id_work_row_pk" PRIMARY KEY("workspace_id","work","row")
);
--> statement-breakpoint
ALTER TABLE "work_failures" ADD CONSTRAINT "work_failures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "work_failures_by_work" ON "work_failures" USING btree ("work","next_try_at");