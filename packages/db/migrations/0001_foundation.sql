CREATE TABLE "booking_links" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"organizer_id" uuid NOT NULL,
	"duration_min" integer DEFAULT 30 NOT NULL,
	"buffer_min" integer DEFAULT 0 NOT NULL,
	"timezone" text NOT NULL,
	"weekly_hours" jsonb NOT NULL,
	"date_overrides" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"show_avatar" boolean DEFAULT true NOT NULL,
	"link_guest" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "booking_links_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"organizer_id" uuid NOT NULL,
	"status" text NOT NULL,
	"start_at" timestamptz(3) NOT NULL,
	"end_at" timestamptz(3) NOT NULL,
	"invitee_name" text NOT NULL,
	"invitee_email" text NOT NULL,
	"invitee_timezone" text NOT NULL,
	"invitee_phone" text,
	"invitee_locale" text,
	"note" text,
	"manage_token_hash" "bytea" NOT NULL,
	"call_token_hash" "bytea" NOT NULL,
	"join_url" text NOT NULL,
	"room_id" text,
	"calendar_sequence" integer DEFAULT 0 NOT NULL,
	"confirmation_email_sent" boolean DEFAULT false NOT NULL,
	"lead_id" uuid,
	"contact_id" uuid,
	"cancelled_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "bookings_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "bookings_manage_token" UNIQUE("workspace_id","manage_token_hash"),
	CONSTRAINT "bookings_call_token" UNIQUE("workspace_id","call_token_hash")
);
--> statement-breakpoint
CREATE TABLE "calendar_events" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"booking_id" uuid,
	"title" text NOT NULL,
	"start_at" timestamptz(3) NOT NULL,
	"end_at" timestamptz(3) NOT NULL,
	"all_day" boolean DEFAULT false NOT NULL,
	"start_date" date,
	"end_date" date,
	"busy" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "calendar_events_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3),
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "api_keys_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "api_keys_hash" UNIQUE("workspace_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamptz(3) DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text,
	"summary" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_log_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "departments" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"parent_id" uuid,
	"head_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "departments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "employee_roles" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "employee_roles_workspace_id_employee_id_role_id_pk" PRIMARY KEY("workspace_id","employee_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "employees" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"password_hash" text NOT NULL,
	"department_id" uuid,
	"manager_id" uuid,
	"timezone" text,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "employees_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"read_at" timestamptz(3),
	CONSTRAINT "notifications_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_system" boolean DEFAULT false NOT NULL,
	"permissions" text[] NOT NULL,
	"access" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "roles_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"address" text,
	"user_agent" text,
	CONSTRAINT "sessions_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "sessions_token" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "workspace_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspace_modules" (
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"enabled" boolean NOT NULL,
	"reason" text,
	CONSTRAINT "workspace_modules_workspace_id_key_pk" PRIMARY KEY("workspace_id","key")
);
--> statement-breakpoint
CREATE TABLE "workspace_quotas" (
	"workspace_id" uuid NOT NULL,
	"quota" text NOT NULL,
	"limit" integer NOT NULL,
	CONSTRAINT "workspace_quotas_workspace_id_quota_pk" PRIMARY KEY("workspace_id","quota")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"base_url" text NOT NULL,
	"locale" text DEFAULT 'en' NOT NULL,
	"time_format" text DEFAULT '24h' NOT NULL,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"currency" text DEFAULT 'EUR' NOT NULL,
	"merge_exact_duplicates" boolean DEFAULT false NOT NULL,
	"brand" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"in_maintenance" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"body" text NOT NULL,
	"visibility" text DEFAULT 'INTERNAL' NOT NULL,
	"author_type" text NOT NULL,
	"author_id" uuid,
	"author_name" text NOT NULL,
	"author_email" text,
	"external_source" text,
	"external_id" text,
	"parent_id" uuid,
	"mentions" uuid[] DEFAULT '{}' NOT NULL,
	"file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "comments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"domain" text,
	"phone" text,
	"email" text,
	"website" text,
	"description" text,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "companies_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"first_name" text,
	"last_name" text,
	"email" text,
	"phone" text,
	"job_title" text,
	"company_id" uuid,
	"address" jsonb,
	"messengers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"description" text,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "contacts_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "custom_fields" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"type" text NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_required" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "custom_fields_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "deals" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"amount" numeric(18, 6),
	"currency" text NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"status" text NOT NULL,
	"probability" smallint,
	"expected_close_date" date,
	"contact_id" uuid,
	"company_id" uuid,
	"lead_id" uuid,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "deals_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"claim_id" uuid NOT NULL,
	"lease_until" timestamptz(3) NOT NULL,
	"status" smallint,
	"body" text,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "idempotency_keys_workspace_id_employee_id_key_pk" PRIMARY KEY("workspace_id","employee_id","key")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"employee_id" uuid NOT NULL,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cursor" text,
	"lease_until" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "jobs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "lead_sources" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"system_key" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "lead_sources_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"first_name" text,
	"last_name" text,
	"company_name" text,
	"email" text,
	"phone" text,
	"job_title" text,
	"website" text,
	"address" jsonb,
	"messengers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"temperature" text,
	"score" smallint DEFAULT 0 NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"source_id" uuid,
	"utm_source" text,
	"utm_medium" text,
	"utm_campaign" text,
	"utm_content" text,
	"utm_term" text,
	"gclid" text,
	"fbclid" text,
	"referrer" text,
	"landing_page" text,
	"lost_reason" text,
	"status_changed_at" timestamptz(3) DEFAULT now() NOT NULL,
	"stage_changed_at" timestamptz(3) DEFAULT now() NOT NULL,
	"converted_at" timestamptz(3),
	"last_activity_at" timestamptz(3),
	"contact_id" uuid,
	"company_id" uuid,
	"deal_id" uuid,
	"merged_into_id" uuid,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))) STORED,
	CONSTRAINT "leads_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"topic" text NOT NULL,
	"event" text NOT NULL,
	"entity_type" text,
	"entity_id" uuid,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"relayed_at" timestamptz(3),
	"attempts" smallint DEFAULT 0 NOT NULL,
	"done_at" timestamptz(3),
	CONSTRAINT "outbox_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "pipelines" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"entity_type" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"color" text,
	"no_skipping" boolean DEFAULT false NOT NULL,
	"no_backwards" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "pipelines_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "record_counts" (
	"workspace_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "record_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid,
	"holder_id" uuid,
	"department_id" uuid,
	"pipeline_id" uuid,
	"stage_id" uuid,
	"status" text,
	"n" integer NOT NULL,
	CONSTRAINT "record_counts_workspace_id_entity_type_id_pk" PRIMARY KEY("workspace_id","entity_type","id")
);
--> statement-breakpoint
CREATE TABLE "stages" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"color" text,
	"type" text DEFAULT 'OPEN' NOT NULL,
	"mapped_status" text,
	"probability" smallint,
	"rotting_days" smallint,
	"required_fields" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "stages_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "stages_in_pipeline" UNIQUE("workspace_id","pipeline_id","id")
);
--> statement-breakpoint
CREATE TABLE "timeline" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"occurred_at" timestamptz(3) DEFAULT now() NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"source" text NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"related_type" text,
	"related_id" uuid,
	CONSTRAINT "timeline_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "automation_rules" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"event" text NOT NULL,
	"conditions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"failures_in_row" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "automation_rules_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid,
	"rule_run_id" uuid,
	"run_id" uuid,
	"request" jsonb NOT NULL,
	"state" text NOT NULL,
	"status" smallint,
	"duration_ms" integer,
	"response_body" text,
	"error" text,
	"attempted_at" timestamptz(3) DEFAULT now() NOT NULL,
	"redelivery_of" uuid,
	CONSTRAINT "deliveries_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "refused_calls" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"at" timestamptz(3) DEFAULT now() NOT NULL,
	"reason" text NOT NULL,
	"size_bytes" integer,
	CONSTRAINT "refused_calls_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "rule_runs" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"entity_id" uuid,
	"state" text NOT NULL,
	"started_at" timestamptz(3) DEFAULT now() NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "rule_runs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_triggers" (
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"path" text NOT NULL,
	"path_hash" "bytea" NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"is_published" boolean DEFAULT false NOT NULL,
	"method" text DEFAULT 'POST' NOT NULL,
	"header_auth" jsonb,
	"last_request" jsonb,
	"last_request_at" timestamptz(3),
	CONSTRAINT "webhook_triggers_workspace_id_workflow_id_pk" PRIMARY KEY("workspace_id","workflow_id"),
	CONSTRAINT "webhook_triggers_path" UNIQUE("workspace_id","path_hash")
);
--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"run_as_id" uuid NOT NULL,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"epoch" integer DEFAULT 1 NOT NULL,
	"lease_until" timestamptz(3),
	"resume_at" timestamptz(3),
	"trigger" jsonb,
	"failure_code" text,
	"failure_message" text,
	"depth" smallint DEFAULT 0 NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "workflow_runs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "workflow_step_runs" (
	"workspace_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"position" text NOT NULL,
	"step_key" text NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"epoch" integer NOT NULL,
	"input" jsonb,
	"output" jsonb,
	"failure_code" text,
	"failure_message" text,
	"started_at" timestamptz(3) DEFAULT now() NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "workflow_step_runs_workspace_id_run_id_position_pk" PRIMARY KEY("workspace_id","run_id","position")
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"trigger" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"published_by_id" uuid,
	CONSTRAINT "workflow_versions_workspace_id_workflow_id_version_pk" PRIMARY KEY("workspace_id","workflow_id","version")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'DRAFT' NOT NULL,
	"trigger" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"published_version" integer,
	"run_as_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "workflows_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "oauth_clients_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_codes" (
	"workspace_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"grant_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text NOT NULL,
	"resource" text,
	"expires_at" timestamptz(3) NOT NULL,
	"used_at" timestamptz(3),
	CONSTRAINT "oauth_codes_workspace_id_code_hash_pk" PRIMARY KEY("workspace_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "oauth_grants_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3),
	"rotated_at" timestamptz(3),
	CONSTRAINT "oauth_tokens_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "oauth_tokens_hash" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "booking_links" ADD CONSTRAINT "booking_links_organizer" FOREIGN KEY ("workspace_id","organizer_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_link" FOREIGN KEY ("workspace_id","link_id") REFERENCES "public"."booking_links"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_organizer" FOREIGN KEY ("workspace_id","organizer_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_booking" FOREIGN KEY ("workspace_id","booking_id") REFERENCES "public"."bookings"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "departments" ADD CONSTRAINT "departments_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "departments" ADD CONSTRAINT "departments_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."departments"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employee_roles" ADD CONSTRAINT "employee_roles_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employee_roles" ADD CONSTRAINT "employee_roles_role" FOREIGN KEY ("workspace_id","role_id") REFERENCES "public"."roles"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_department" FOREIGN KEY ("workspace_id","department_id") REFERENCES "public"."departments"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_manager" FOREIGN KEY ("workspace_id","manager_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace_hosts" ADD CONSTRAINT "workspace_hosts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace_modules" ADD CONSTRAINT "workspace_modules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace_quotas" ADD CONSTRAINT "workspace_quotas_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."comments"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_stage" FOREIGN KEY ("workspace_id","pipeline_id","stage_id") REFERENCES "public"."stages"("workspace_id","pipeline_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_sources" ADD CONSTRAINT "lead_sources_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_stage" FOREIGN KEY ("workspace_id","pipeline_id","stage_id") REFERENCES "public"."stages"("workspace_id","pipeline_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_source" FOREIGN KEY ("workspace_id","source_id") REFERENCES "public"."lead_sources"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stages" ADD CONSTRAINT "stages_pipeline" FOREIGN KEY ("workspace_id","pipeline_id") REFERENCES "public"."pipelines"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline" ADD CONSTRAINT "timeline_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD CONSTRAINT "rule_runs_rule" FOREIGN KEY ("workspace_id","rule_id") REFERENCES "public"."automation_rules"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_triggers" ADD CONSTRAINT "webhook_triggers_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_version" FOREIGN KEY ("workspace_id","workflow_id","version") REFERENCES "public"."workflow_versions"("workspace_id","workflow_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_step_runs" ADD CONSTRAINT "workflow_step_runs_run" FOREIGN KEY ("workspace_id","run_id") REFERENCES "public"."workflow_runs"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_run_as" FOREIGN KEY ("workspace_id","run_as_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_grant" FOREIGN KEY ("workspace_id","grant_id") REFERENCES "public"."oauth_grants"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client" FOREIGN KEY ("workspace_id","client_id") REFERENCES "public"."oauth_clients"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_grant" FOREIGN KEY ("workspace_id","grant_id") REFERENCES "public"."oauth_grants"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "booking_links_slug" ON "booking_links" USING btree ("workspace_id",lower("slug"));--> statement-breakpoint
CREATE INDEX "bookings_by_organizer" ON "bookings" USING btree ("workspace_id","organizer_id","start_at");--> statement-breakpoint
CREATE INDEX "bookings_pending" ON "bookings" USING btree ("created_at") WHERE "bookings"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "calendar_events_by_employee" ON "calendar_events" USING btree ("workspace_id","employee_id","start_at");--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_events_booking" ON "calendar_events" USING btree ("workspace_id","booking_id");--> statement-breakpoint
CREATE INDEX "api_keys_by_owner" ON "api_keys" USING btree ("workspace_id","owner_id");--> statement-breakpoint
CREATE INDEX "employee_roles_by_role" ON "employee_roles" USING btree ("workspace_id","role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "employees_email" ON "employees" USING btree ("workspace_id",lower("email"));--> statement-breakpoint
CREATE INDEX "notifications_by_employee" ON "notifications" USING btree ("workspace_id","employee_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE INDEX "sessions_by_employee" ON "sessions" USING btree ("workspace_id","employee_id");--> statement-breakpoint
CREATE INDEX "workspace_hosts_by_workspace" ON "workspace_hosts" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "comments_of_record" ON "comments" USING btree ("workspace_id","entity_type","entity_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "comments_external" ON "comments" USING btree ("workspace_id","external_source","external_id");--> statement-breakpoint
CREATE INDEX "companies_by_name" ON "companies" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE INDEX "companies_by_domain" ON "companies" USING btree ("workspace_id",lower("domain"));--> statement-breakpoint
CREATE INDEX "contacts_by_email" ON "contacts" USING btree ("workspace_id",lower("email"));--> statement-breakpoint
CREATE INDEX "contacts_by_phone" ON "contacts" USING btree ("workspace_id","phone");--> statement-breakpoint
CREATE UNIQUE INDEX "custom_fields_key" ON "custom_fields" USING btree ("workspace_id","entity_type","key");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("created_at") WHERE "jobs"."state" in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE UNIQUE INDEX "lead_sources_name" ON "lead_sources" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "lead_sources_system" ON "lead_sources" USING btree ("workspace_id","system_key");--> statement-breakpoint
CREATE INDEX "leads_newest" ON "leads" USING btree ("workspace_id","created_at","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_by_status" ON "leads" USING btree ("workspace_id","status","created_at","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_by_stage" ON "leads" USING btree ("workspace_id","stage_id","created_at","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_by_owner" ON "leads" USING btree ("workspace_id","owner_id","created_at","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_by_department" ON "leads" USING btree ("workspace_id","department_id","created_at","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_by_email" ON "leads" USING btree ("workspace_id",lower("email")) WHERE "leads"."deleted_at" is null and "leads"."email" is not null;--> statement-breakpoint
CREATE INDEX "leads_by_phone" ON "leads" USING btree ("workspace_id","phone") WHERE "leads"."deleted_at" is null and "leads"."phone" is not null;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("id") WHERE "outbox"."relayed_at" is null and "outbox"."done_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_relayed" ON "outbox" USING btree ("relayed_at") WHERE "outbox"."relayed_at" is not null and "outbox"."done_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_done" ON "outbox" USING btree ("done_at") WHERE "outbox"."done_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "pipelines_default" ON "pipelines" USING btree ("workspace_id","entity_type") WHERE "pipelines"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "pipelines_name" ON "pipelines" USING btree ("workspace_id","entity_type",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "stages_name" ON "stages" USING btree ("workspace_id","pipeline_id",lower("name"));--> statement-breakpoint
CREATE INDEX "timeline_of_record" ON "timeline" USING btree ("workspace_id","entity_type","entity_id","id");--> statement-breakpoint
CREATE INDEX "automation_rules_by_event" ON "automation_rules" USING btree ("workspace_id","event") WHERE "automation_rules"."is_active";--> statement-breakpoint
CREATE INDEX "deliveries_by_rule" ON "deliveries" USING btree ("workspace_id","rule_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_by_run" ON "deliveries" USING btree ("workspace_id","run_id");--> statement-breakpoint
CREATE INDEX "deliveries_sending" ON "deliveries" USING btree ("attempted_at") WHERE "deliveries"."state" = 'SENDING';--> statement-breakpoint
CREATE INDEX "refused_calls_by_workflow" ON "refused_calls" USING btree ("workspace_id","workflow_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "rule_runs_once" ON "rule_runs" USING btree ("workspace_id","rule_id","event_id");--> statement-breakpoint
CREATE INDEX "rule_runs_by_rule" ON "rule_runs" USING btree ("workspace_id","rule_id","id");--> statement-breakpoint
CREATE INDEX "rule_runs_open" ON "rule_runs" USING btree ("started_at") WHERE "rule_runs"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow" ON "workflow_runs" USING btree ("workspace_id","workflow_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_open" ON "workflow_runs" USING btree ("created_at") WHERE "workflow_runs"."state" in ('QUEUED', 'RUNNING', 'WAITING');--> statement-breakpoint
CREATE INDEX "oauth_grants_by_person" ON "oauth_grants" USING btree ("workspace_id","employee_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_tokens_by_grant" ON "oauth_tokens" USING btree ("workspace_id","grant_id");