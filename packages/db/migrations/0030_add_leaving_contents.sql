CREATE TABLE "leaving_contents" (
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"leaves_at" timestamptz(3) NOT NULL,
	CONSTRAINT "leaving_contents_workspace_id_key_pk" PRIMARY KEY("workspace_id","key")
);
--> statement-breakpoint
CREATE INDEX "leaving_contents_due" ON "leaving_contents" USING btree ("leaves_at");