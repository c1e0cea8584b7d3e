import clinic.ApiClient;
import clinic.JSON;
import clinic.api.AppointmentsApi;
import clinic.model.Appointment;
import clinic.model.AppointmentCreatedEvent;
import clinic.model.BookAppointmentRequest;
import clinic.model.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class UseClient {
    static final long TOLERANCE_SECONDS = 300;

    public static void main(String[] args) throws Exception {
        Map<String, String> env = System.getenv();
        ApiClient client = new ApiClient();
        client.updateBaseUri(env.get("API_URL"));
        client.setRequestInterceptor(
                request -> request.header("Authorization", "Bearer " + env.get("API_KEY")));
        AppointmentsApi appointments = new AppointmentsApi(client);
        OffsetDateTime startsAt = OffsetDateTime.parse(env.get("STARTS_AT"));

        Appointment booked = appointments.bookAppointment(
                new BookAppointmentRequest()
                        .professionalId(UUID.fromString(env.get("PROFESSIONAL_ID")))
                        .serviceTypeId(UUID.fromString(env.get("SERVICE_ID")))
                        .patientName("Ana Martins")
                        .patientPhone("+351912345678")
                        .startsAt(startsAt),
                UUID.randomUUID().toString());
        Appointment read = appointments.getAppointment(booked.getId());
        var page = appointments.listAppointments(startsAt, null, null, null, null, null, null, null, 10, null);

        // As a receiver gets it: the header X-Service-Signature, and the body as it arrived.
        String body = env.get("RAW_BODY");
        if (!isGenuine(env.get("SIGNATURE"), body.getBytes(StandardCharsets.UTF_8), env.get("WEBHOOK_SECRET"))) {
            throw new IllegalStateException("not from the service");
        }
        ReceivedEvent event = JSON.getDefault().getMapper().readValue(body, ReceivedEvent.class);
        String told = event.getActualInstance() instanceof AppointmentCreatedEvent created
                ? created.getData().getAppointment().getId().toString()
                : event.getActualInstance().getClass().getName();

        System.out.println(JSON.getDefault().getMapper().writeValueAsString(Map.of(
                "booked", booked.getId(),
                "status", read.getStatus().getValue(),
                "listed", page.getItems().stream().map(Appointment::getId).toList(),
                "told", told)));
    }

    static boolean isGenuine(String header, byte[] rawBody, String secret) throws Exception {
        String time = "";
        boolean isSigned = false;
        for (String part : header.split(",")) {
            if (part.startsWith("t=")) time = part.substring(2);
        }
        if (!time.matches("\\d{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(rawBody)).getBytes(StandardCharsets.UTF_8);
        for (String part : header.split(",")) {
            if (!part.startsWith("v1=")) continue;
            isSigned |= MessageDigest.isEqual(expected, part.substring(3).getBytes(StandardCharsets.UTF_8));
        }
        return isSigned;
    }
}
