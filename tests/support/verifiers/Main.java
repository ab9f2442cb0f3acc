import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.List;

public final class Main {
    public static void main(String[] args) throws Exception {
        Base64.Decoder base64 = Base64.getDecoder();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            String header = new String(base64.decode(fields[2]));
            List<String> secrets = List.of(fields[1].split(","));
            System.out.println(Webhooks.verify(base64.decode(fields[3]), header, secrets, Long.parseLong(fields[0])));
        }
    }
}
