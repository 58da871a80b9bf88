CREATE TABLE "erasures" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"words" jsonb,
	"targets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"remaining" integer NOT NULL,
	"next_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"done_at" timestamptz(3),
	CONSTRAINT "erasures_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erasures_due" ON "erasures" USING btree ("next_at") WHERE "erasures"."done_at" is null;