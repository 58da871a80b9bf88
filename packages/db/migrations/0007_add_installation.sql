CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"paused_at" timestamptz(3),
	CONSTRAINT "installation_is_only" CHECK ("installation"."is_only")
);
